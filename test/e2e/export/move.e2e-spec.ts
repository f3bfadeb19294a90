import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dialect } from '../../../src/database/columns.js';
import { aContent, aGame, aProfile, liveGame } from '../../support/records/builders.js';
import { readManifestOf, textsOf } from '../../support/records/export-folder.js';
import { loadSampleData } from '../../support/records/sample-data.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { TestService } from '../../support/service/test-service.js';
import { answersOfStore } from '../../support/service/whole-store.js';
import { DIALECTS } from '../../support/stores/test-database.js';

/** A database, and an empty one that its export is imported into. */
const MOVES: readonly (readonly [from: Dialect, to: Dialect])[] =
  DIALECTS.length === 1
    ? [['sqlite', 'sqlite']]
    : [
        ['sqlite', 'mysql'],
        ['mysql', 'sqlite'],
      ];

const TWITCH_USERS = {
  url: 'https://api.twitch.tv/helix/users',
  fetched_at: '2026-01-31T09:30:00Z',
  body: { data: [{ id: 'observed', login: 'observed', display_name: 'Observed', broadcaster_type: 'partner' }] },
};
const TWITCH_STREAMS = {
  url: 'https://api.twitch.tv/helix/streams',
  fetched_at: '2026-01-31T09:30:00Z',
  body: {
    data: [
      {
        id: 'stream',
        user_id: 'observed',
        user_login: 'observed',
        user_name: 'Observed',
        game_id: '5001',
        game_name: 'Starhaven Odyssey',
        type: 'live',
        title: 'Live',
        viewer_count: 42,
        started_at: '2026-01-31T09:00:00Z',
        language: 'en',
        tags: ['one'],
        is_mature: false,
      },
    ],
  },
};

/** Fills a store with sample data, odd records, observations and forgotten creators. */
async function fill(service: TestService): Promise<void> {
  await loadSampleData(service);
  const ids = ['a', 'A', 'a ', 'ä', '%00', '../x', '"quoted\\"', '中文', 'x'.repeat(255)];
  await service.load(
    'profiles',
    ...ids.map((id, nth) =>
      aProfile({ id, name: `odd_${nth}`, description: 'Zeile\u2028 mit "Zeichen" \u0000 und 🎮' }),
    ),
    aProfile({
      id: 'nulls',
      name: null,
      updated_at: null,
      last_active_at: null,
      statistics: { followers: null, views_estimated: null },
    }),
    aProfile({ id: 'largest', statistics: { followers: 2 ** 53 - 1, views_estimated: -(2 ** 53 - 1) } }),
    aProfile({ id: 'oldest', updated_at: '0001-01-01T00:00:00.000Z', last_active_at: '9999-12-31T23:59:59.999Z' }),
  );
  await service.load(
    'content',
    ...ids.map((id) => aContent({ content_id: id, profile_id: id, categories: [liveGame('5001')] })),
    aContent({ content_id: 'undated', created_at: null, profile_id: 'a' }),
    // The stored record is several times as long as this line, and longer than a line of an import may be.
    {
      content_id: 'long',
      platform: 'live_platform',
      type: 'stream',
      profile_id: 'a',
      chapters: Array(10_000).fill({ id: '' }),
    },
  );
  await service.load('games', aGame({ id: 'game', total_rating_count: null }));
  await service.load(
    'emails',
    { platform_id: 'live_platform', profile_id: 'a', email: 'a@example.com', updated_at: null },
    { platform_id: 'live_platform', profile_id: 'A', email: 'A@example.com', updated_at: '2026-01-31T09:30:00Z' },
  );
  await service.load('socials', { platform_id: 'live_platform', profile_id: '"quoted\\"', links: [] });
  await service.load('profiles', aProfile({ id: 'forgotten' }));
  await service.load('socials', {
    platform_id: 'live_platform',
    profile_id: 'a',
    links: [
      { id: 'forgotten', name: null, platform_id: 'live_platform', followers: null },
      { id: 'other', name: 'other', platform_id: 'photo_platform', followers: 1 },
    ],
  });
  const run = (...args: string[]) => runForJson(service.testDatabase, ...args);
  await run('forget', 'live_platform', 'forgotten', '--yes');
  await run('forget', 'photo_platform', 'unknown "creator"', '--unknown');
  const file = join(service.testDatabase.folder, 'twitch.ndjson');
  writeFileSync(file, [TWITCH_USERS, TWITCH_STREAMS].map((response) => JSON.stringify(response)).join('\n'));
  await run('ingest', 'twitch', file);
}

describe.each(MOVES)('an export of %s, imported into an empty %s', (from, to) => {
  let source: TestService;
  let target: TestService;
  let folder: string;
  beforeAll(async () => {
    source = await TestService.start(from);
    target = await TestService.start(to);
    await fill(source);
    folder = join(source.testDatabase.folder, 'export');
    await runForJson(source.testDatabase, 'export', '--out', folder);
  });
  afterAll(async () => {
    await target.stop();
    await source.stop();
  });

  const run = (...args: string[]) => runInProcess(target.testDatabase, ...args);

  it('loads every line, and the same command loads it again', async () => {
    for (let round = 0; round < 2; round += 1) {
      const reports = (await runForJson(target.testDatabase, 'import', folder)) as { file: string; loaded: number }[];
      const { files } = readManifestOf(folder);
      expect(new Map(reports.map(({ file, loaded }) => [file, loaded]))).toEqual(
        new Map(files.map(({ name, records }) => [join(folder, name), records])),
      );
    }
  });

  it('gives the same store: every page of every list and every record, byte for byte', async () => {
    const [expected, found] = [await answersOfStore(source), await answersOfStore(target)];
    expect(expected.size).toBeGreaterThan(500);
    expect([...found.keys()]).toEqual([...expected.keys()]);
    expect([...expected].filter(([path, answer]) => found.get(path) !== answer).map(([path]) => path)).toEqual([]);
  });

  it('has the same observations and forgotten creators: its own export has the same lines', async () => {
    const again = join(target.testDatabase.folder, 'again');
    await runForJson(target.testDatabase, 'export', '--out', again);
    const [expected, found] = [textsOf(folder), textsOf(again)];
    expect(Object.keys(found)).toEqual(Object.keys(expected));
    expect(Object.keys(expected).filter((name) => found[name] !== expected[name])).toEqual([]);
    expect(expected['forgotten-live_platform.ndjson.gz']).toContain('"profile_id":"forgotten"');
    expect(expected['observations-live_platform.ndjson.gz']?.split('\n')).toHaveLength(3);
    const lines = join(target.testDatabase.folder, 'profiles.ndjson');
    writeFileSync(lines, JSON.stringify(aProfile({ id: 'forgotten' })));
    expect((await run('import', 'profiles', lines)).status).toBe(2);
    expect(readFileSync(`${lines}.rejected.ndjson`, 'utf8')).toContain('suppressed');
  });
});
