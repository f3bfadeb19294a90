import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from '@jest/globals';
import { parseMapping } from '../../../src/sources/csv/mapping.js';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { describeService } from '../../support/service/test-service.js';

const HAS_JQ = spawnSync('jq', ['--version']).error === undefined;
const page = readFileSync(join(ROOT, 'docs/sources.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

/** Answers of the platforms, by a part of the URL. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'channels/followers': { total: 4321, data: [], pagination: {} },
  'youtube/v3/videos': {
    kind: 'youtube#videoListResponse',
    items: [
      {
        kind: 'youtube#video',
        id: 'mockvideo01',
        snippet: { channelId: 'UCmockmockmockmockmockmo', publishedAt: '2026-01-31T09:30:00Z', title: 'Mock' },
      },
    ],
  },
  'igdb.com': [{ id: 4711, name: 'Mock Quest', slug: 'mock-quest' }],
  'graph.facebook.com': {
    business_discovery: { id: '17841400000000009', username: 'mockgrapher', followers_count: 4200 },
    id: '1',
  },
  tiktokapis: { data: { display_name: 'Mock Dancer', follower_count: 321 }, error: { code: 'ok' } },
  'api.x.com': {
    data: [{ id: '11', name: 'Mock Writer', username: 'mockwriter', public_metrics: { followers_count: 9 } }],
  },
};

if (HAS_JQ) {
  describeService('the page about native data', (service) => {
    const get = async (path: string) => (await service().get(path)).body.payload;
    beforeAll(async () => {
      await buildOnce();
      const here = join(service().testDatabase.folder, 'page');
      mkdirSync(here);
      symlinkSync(join(ROOT, 'docs'), join(here, 'docs'));
      writeFileSync(join(here, 'accounts.csv'), 'channel_info,followers\nmock.er,1.5k\n');
      const video = { ...(ANSWERS['youtube/v3/videos'] as object) };
      writeFileSync(join(here, 'videos.json.gz'), gzipSync(JSON.stringify(video)));
      const cases = Object.entries(ANSWERS).map(([part, answer]) => `*${part}*) echo '${JSON.stringify(answer)}' ;;`);
      const curl = `curl() { case "$*" in ${cases.join('\n')} *) exit 1 ;; esac; }`;
      // The first block of the page needs the responses that the second one fetches, which also defines `save`.
      const [use = '', fetch = '', ...others] = blocks;
      const fetched = others.filter((block) => /^(?:save|curl) /m.test(block));
      const rest = others.filter((block) => !fetched.includes(block));
      const load = 'npm run -s cli -- ingest auto responses.ndjson\n';
      const script = [curl, fetch, use, ...fetched, load, ...rest]
        .join('\n')
        .replaceAll('npm run -s cli --', `node ${join(ROOT, 'dist/bundle/cli.mjs')}`);
      const env = {
        PATH: process.env.PATH,
        DATABASE_URL: service().testDatabase.url,
        TOKEN: 't',
        CLIENT: 'c',
        KEY: 'k',
        ACCOUNT: '1',
      };
      await promisify(execFile)('sh', ['-eu', '-c', script], { env, cwd: here });
    });

    it.each([
      ['/platforms/live_platform/profiles/141981764', { statistics: { followers: 4321 } }],
      ['/platforms/photo_platform/profiles/17841400000000009', { statistics: { followers: 4200 } }],
      ['/platforms/photo_platform/profiles/mock.er', { statistics: { followers: 1500 } }],
      ['/platforms/short_platform/profiles/mockdancer', { statistics: { followers: 321 } }],
      ['/platforms/microblog_platform/profiles/11', { statistics: { followers: 9 } }],
      ['/platforms/video_platform/content/mockvideo01', { title: 'Mock' }],
      ['/platforms/gamedb/games/4711', { slug: 'mock-quest' }],
    ])('has commands after which the service answers %s', async (path, part) => {
      expect(await get(path)).toMatchObject(part);
    });

    it('has a valid mapping', () => {
      const [, mapping = ''] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
      expect(parseMapping(mapping)).toMatchObject({ platform: 'photo_platform' });
    });
  });
}
