import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { runInProcess } from '../../support/service/command.js';
import { toNdjson } from '../../support/sources/sources.js';

const HELIX = 'https://api.twitch.tv/helix';

/** A response with its request. */
const response = (path: string, fetched_at: string, ...data: readonly object[]) => ({
  url: `${HELIX}/${path}`,
  fetched_at,
  body: { data, pagination: {} },
});

const user = (id: string, given: object = {}) => ({
  id,
  login: `login_${id}`,
  display_name: `Login_${id}`,
  type: '',
  broadcaster_type: 'partner',
  description: 'Plays',
  profile_image_url: '',
  offline_image_url: '',
  view_count: 0,
  created_at: '2016-12-14T20:32:28.894263Z',
  ...given,
});

const followers = (id: string, at: string, total: number) => ({
  url: `${HELIX}/channels/followers?broadcaster_id=${id}`,
  fetched_at: at,
  body: { total, data: [], pagination: {} },
});

const T1 = '2026-01-31T09:30:00Z';

describe('normalize', () => {
  const folder = () => {
    folders += 1;
    const path = join(process.env.TMPDIR ?? '/tmp', `creator-data-normalize-${process.pid}-${folders}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  let folders = 0;
  // normalize needs no database, so database settings must not matter.
  const run = (...args: string[]) => runInProcess({ url: 'sqlite:/nowhere/at/all.sqlite' }, ...args);

  it('writes sorted files for the import, and reports what to load for missing members', async () => {
    const here = folder();
    writeFileSync(
      join(here, 'in.ndjson'),
      toNdjson(response('users', T1, user('2'), user('10')), followers('9', T1, 5)),
    );
    const { status, out } = await run(
      'normalize',
      'auto',
      join(here, 'in.ndjson'),
      '--out',
      join(here, 'out'),
      '--json',
    );
    const report = JSON.parse(out);
    expect([status, report.records]).toEqual([0, { profiles: 3 }]);
    expect(report.never_seen).toContainEqual({
      kind: 'profiles',
      platform: 'live_platform',
      member: 'language',
      of: 3,
      load: 'Helix channels',
    });
    expect(readdirSync(join(here, 'out')).sort()).toEqual(['content.ndjson', 'games.ndjson', 'profiles.ndjson']);
    const ids = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n');
    expect(ids.map((line) => JSON.parse(line).id)).toEqual(['10', '2', '9']);
  });

  it('exits with 2 and names the file of rejects', async () => {
    const here = folder();
    writeFileSync(join(here, 'a.ndjson'), `${toNdjson(response('users', T1, user('1')))}{"a`);
    const { status, out } = await run('normalize', 'twitch', join(here, 'a.ndjson'), '--out', join(here, 'out'));
    expect(status).toBe(2);
    expect(out).toContain('2 documents read');
    expect(out).toContain('1 rejected');
    expect(readFileSync(join(here, 'a.ndjson.rejected.ndjson'), 'utf8')).toContain('"line":2');
  });

  it('rejects an unknown source and a missing file', async () => {
    const here = folder();
    expect((await run('normalize', 'nothing', 'x', '--out', here)).err).toMatch(/It must be one of .*twitch, .*auto/);
    expect(await run('normalize', 'twitch', join(here, 'x'), '--out', here)).toMatchObject({
      status: 1,
      err: expect.stringContaining('does not exist'),
    });
    expect((await run('normalize', 'twitch', 'x')).err).toContain("required option '--out <folder>'");
  });

  it('overwrites neither its inputs nor the file of rejects', async () => {
    const here = folder();
    const input = join(here, 'profiles.ndjson');
    const text = toNdjson(response('users', T1, user('1')));
    writeFileSync(input, text);
    const { status, err } = await run('normalize', 'twitch', input, '--out', here);
    expect([status, err]).toEqual([1, expect.stringContaining('is an input, but --out would overwrite it')]);
    expect(readFileSync(input, 'utf8')).toBe(text);
    const rejects = join(here, 'out/games.ndjson');
    expect((await run('normalize', 'twitch', input, '--out', join(here, 'out'), '--rejects', rejects)).err).toContain(
      'is a file that --out writes',
    );
  });

  it('reports the line where a truncated gzip file ends', async () => {
    const here = folder();
    const documents = Array.from({ length: 5000 }, (_, nth) => response('users', T1, user(String(nth))));
    const packed = gzipSync(toNdjson(...documents));
    writeFileSync(join(here, 'a.ndjson.gz'), packed.subarray(0, packed.length - 500));
    expect((await run('normalize', 'twitch', join(here, 'a.ndjson.gz'), '--out', join(here, 'out'))).status).toBe(2);
    const profiles = readFileSync(join(here, 'out/profiles.ndjson'), 'utf8').trimEnd().split('\n').length;
    expect(JSON.parse(readFileSync(join(here, 'a.ndjson.gz.rejected.ndjson'), 'utf8')).line).toBe(profiles + 1);
  });
});
