import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { runInProcess } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

const ACCOUNTS = 'instagram-accounts';

describeService('a table of anybody’s', (service) => {
  let folders = 0;
  const folder = () => {
    const here = join(service().testDatabase.folder, `csv-${(folders += 1)}`);
    mkdirSync(here);
    return here;
  };
  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);

  it('is read by a mapping of its columns', async () => {
    const here = folder();
    const accounts = '\uFEFFrank,channel_info,followers\n1,mock.er,"1,234"\n2,other,29.5m\n3,third,lots\n';
    writeFileSync(join(here, 'accounts.txt'), accounts);
    const args = ['normalize', 'csv', join(here, 'accounts.txt'), '--mapping', ACCOUNTS, '--out', join(here, 'out')];
    const { status, out } = await run(...args);
    expect([status, out]).toEqual([2, expect.stringContaining('3 documents read')]);
    const profiles = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n');
    expect(profiles.map((line) => JSON.parse(line))).toMatchObject([
      { id: 'mock.er', statistics: { followers: 1234 } },
      { id: 'other', statistics: { followers: 29_500_000 } },
    ]);
    const [rejected = ''] = readFileSync(join(here, 'accounts.txt.rejected.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(rejected)).toMatchObject({
      line: 4,
      path: 'followers',
      text: expect.stringContaining('third,lots'),
    });
  });

  it('keeps apart accounts that differ in invalid bytes only, and takes no decimal comma for a group of thousands', async () => {
    const here = folder();
    const rows = [
      'rank,channel_info,followers',
      '1,rl\xe9one,1',
      '2,rl\xe8one,2',
      '3,german,"475,8M"',
      '4,good,"1,234.5k"',
      '',
    ];
    writeFileSync(join(here, 'accounts.txt'), Buffer.from(rows.join('\n'), 'latin1'));
    const args = ['normalize', 'csv', join(here, 'accounts.txt'), '--mapping', ACCOUNTS, '--out', join(here, 'out')];
    expect((await run(...args)).status).toBe(2);
    const profiles = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n');
    expect(profiles.map((line) => JSON.parse(line))).toMatchObject([
      { id: 'good', statistics: { followers: 1_234_500 } },
    ]);
    const rejected = readFileSync(join(here, 'accounts.txt.rejected.ndjson'), 'utf8').trimEnd().split('\n');
    expect(rejected.map((line) => JSON.parse(line))).toMatchObject([
      { line: 2, reason: 'not valid UTF-8' },
      { line: 3, reason: 'not valid UTF-8' },
      { line: 4, reason: 'must be a count such as 1234, 1,234 or 1.2k' },
    ]);
  });

  it('has its missing members listed without responses of an API, and none if nothing was loaded', async () => {
    const here = folder();
    const load = async (rows: string): Promise<string> => {
      writeFileSync(join(here, 'in.csv'), `channel_info,followers\n${rows}\n`);
      return (await run('ingest', 'csv', join(here, 'in.csv'), '--mapping', ACCOUNTS)).out;
    };
    const missing = 'Members that no profile of photo_platform in these files has: ';
    expect(await load('mock.er,1')).toContain(`${missing}description, profile_image, last_active_at\n`);
    expect(await load('third,lots')).not.toContain('Members that no');
  });

  it('is rejected without a mapping; a mapping is rejected without a table, or if it is invalid', async () => {
    const here = folder();
    writeFileSync(join(here, 'in.csv'), 'a\n1\n');
    writeFileSync(join(here, 'wrong.json'), '{"platform": "short_platform", "profile": {"id": "a", "fans": "b"}}');
    const normalize = (source: string, ...mapping: string[]) =>
      run('normalize', source, join(here, 'in.csv'), '--out', join(here, 'out'), ...mapping);
    expect(await normalize('csv')).toMatchObject({
      status: 1,
      err: expect.stringContaining('the source csv needs --mapping FILE'),
    });
    expect((await normalize('auto', '--mapping', ACCOUNTS)).err).toContain('--mapping is for the source csv');
    expect((await normalize('csv', '--mapping', 'none.json')).err).toBe(
      'none.json is neither a file nor a shipped mapping: those are instagram-accounts, instagram-posts, twitch-channels, x-posts-with-accounts\n',
    );
    const { err } = await normalize('csv', '--mapping', join(here, 'wrong.json'));
    expect(err).toContain('wrong.json: profile: Unrecognized key: "fans"');
  });

  it('given to auto is rejected with the mappings that fit its columns', async () => {
    const here = folder();
    const reasonFor = async (header: string): Promise<string> => {
      writeFileSync(join(here, 'in.csv'), `${header}\n${header.replaceAll(/[^,]+/g, '1')}\n`);
      const args = ['normalize', 'auto', join(here, 'in.csv'), '--out', join(here, 'out'), '--overwrite'];
      expect((await run(...args)).status).toBe(2);
      return String(JSON.parse(readFileSync(join(here, 'in.csv.rejected.ndjson'), 'utf8')).reason);
    };
    const use = 'a table needs the source csv with --mapping FILE';
    expect(await reasonFor('post_url,post_caption,like_num,comment_num')).toBe(
      `${use}: run "creator-data ingest csv FILE --mapping instagram-posts --set author=VALUE"`,
    );
    expect(await reasonFor('a,b')).toBe(`${use}: no shipped mapping fits its columns, see docs/sources.md`);
  });

  it('without a column of the mapping is one error that lists its columns', async () => {
    const here = folder();
    const path = join(here, 'in.csv');
    writeFileSync(path, 'name,fans\na,1\nb,2\n');
    const { status, out, err } = await run('ingest', 'csv', path, '--mapping', ACCOUNTS);
    expect([status, out]).toEqual([1, '']);
    expect(err).toBe(
      `${path}: the mapping needs the column channel_info, but the table has name, fans: correct the mapping\n`,
    );
    expect(existsSync(`${path}.rejected.ndjson`)).toBe(false);
  });

  it('with tabs between its cells is a table, too, if its name ends in .tsv', async () => {
    const here = folder();
    writeFileSync(join(here, 'accounts.tsv'), 'rank\tchannel_info\tfollowers\n1\tmock, er\t1,234\n');
    const normalize = (source: string, ...mapping: string[]) =>
      run('normalize', source, join(here, 'accounts.tsv'), '--out', join(here, 'out'), '--overwrite', ...mapping);
    expect(await normalize('csv', '--mapping', ACCOUNTS)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^Members that no profile of photo_platform in these files has: description, /m),
    });
    const profile = JSON.parse(readFileSync(join(here, 'out/profiles.ndjson'), 'utf8'));
    expect(profile).toMatchObject({ id: 'mock, er', statistics: { followers: 1234 } });
    expect((await normalize('auto')).out).toContain('csv FILE --mapping instagram-accounts"');
  });

  it('with a placeholder in the mapping is loaded only with --set', async () => {
    const here = folder();
    writeFileSync(
      join(here, 'in.csv'),
      'post_url,post_caption,like_num,comment_num\nhttps://www.instagram.com/p/B6mockmock1/,Mock,7,3\n',
    );
    const mapping = 'docs/mappings/instagram-posts.json';
    const args = ['normalize', 'csv', join(here, 'in.csv'), '--mapping', mapping, '--out', join(here, 'out')];
    expect(await run(...args)).toMatchObject({
      status: 1,
      err: `${mapping}: author is a placeholder: add --set author=VALUE, or edit the mapping\n`,
    });
    expect((await run(...args, '--set', 'author')).err).toContain('It must be MEMBER=VALUE');
    const known = 'is not a placeholder of this mapping, which accepts --set author=VALUE';
    expect((await run(...args, '--set', 'author=a', '--set', 'fans=1')).err).toContain(`fans ${known}`);
    expect((await run(...args, '--set', 'account=a')).err).toContain(`account ${known}`);
    expect((await run(...args, '--set', 'author=mocker')).status).toBe(0);
    expect(readFileSync(join(here, 'out/content.ndjson'), 'utf8')).toContain('"profile_id":"mocker"');
  });

  it('that looks like the table of another source is read by its mapping', async () => {
    const here = folder();
    const row = 'video_id,trending_date,channelId,title\nv1,2026-01-31T09:30:00Z,c1,Mock\n';
    writeFileSync(join(here, 'in.csv'), row);
    const mapping = { platform: 'video_platform', content: { id: 'video_id', author: 'channelId', title: 'title' } };
    writeFileSync(
      join(here, 'mapping.json'),
      JSON.stringify({ ...mapping, content: { ...mapping.content, type: { value: 'video' } } }),
    );
    const args = ['csv', join(here, 'in.csv'), '--mapping', join(here, 'mapping.json'), '--out', join(here, 'out')];
    expect((await run('normalize', ...args)).status).toBe(0);
    expect(readFileSync(join(here, 'out/content.ndjson'), 'utf8')).toContain('"content_id":"v1"');
  });
});
