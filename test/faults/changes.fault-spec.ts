import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/model/config.js';
import { openDatabase } from '../../src/schema/open-database.js';
import { FEED_KINDS, type FeedKind } from '../../src/features/changes/feeds.js';
import { KilledServices } from '../support/changes/killed-services.js';
import { feedPath, Mirror } from '../support/changes/mirror.js';
import { randomNumbers } from '../support/changes/random-records.js';
import { storedRecords } from '../support/changes/stored-records.js';
import { WriterProcess, type Written } from '../support/changes/writer-processes.js';
import { runForJson } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { report } from './support/drill.js';

/** Lines of imports, ingested users and commands, for each database. */
const OPERATIONS = Number(process.env.MIRROR_OPERATIONS ?? 6000);

/** A failure names the seed, which repeats the choices but not the moments of the kills. */
const SEED = Number(process.env.MIRROR_SEED ?? Date.now() % 1_000_000);

const WRITERS = 3;

/** Lines of a file: few enough for many commands, and enough for a million operations in minutes. */
const LINES_PER_FILE = Math.min(8000, Math.max(500, OPERATIONS / 100));

const TIMEOUT_MS = Math.max(600_000, OPERATIONS * 3);

/** Differences between a copy and the store. */
interface Differences {
  readonly missing: number;
  readonly extra: number;
  readonly stale: number;
}

const NO_DIFFERENCE: Differences = { missing: 0, extra: 0, stale: 0 };

function compare(copy: ReadonlyMap<string, unknown>, stored: ReadonlyMap<string, unknown>): Differences {
  const [missing, shared] = [
    [...stored.keys()].filter((id) => !copy.has(id)),
    [...copy.keys()].filter((id) => stored.has(id)),
  ];
  const stale = shared.filter((id) => JSON.stringify(copy.get(id)) !== JSON.stringify(stored.get(id)));
  return { missing: missing.length, extra: copy.size - shared.length, stale: stale.length };
}

describe.each(DIALECTS)(`a copy that follows the feed, seed ${SEED} (%s)`, (dialect) => {
  const random = randomNumbers(SEED);
  let testDatabase: TestDatabase;
  let services: KilledServices;
  beforeAll(async () => {
    testDatabase = await createTestDatabase(dialect);
    await runForJson(testDatabase, 'migrate');
    const { key } = await runForJson(testDatabase, 'keys', 'create', '--name', 'drill', '--rate-limit', '1000000000');
    services = await KilledServices.start(testDatabase, dialect === 'mysql' ? 2 : 1, String(key), random);
  }, 60_000);
  afterAll(async () => {
    await services.stop();
    await testDatabase.drop();
  }, 60_000);

  it(
    `equals the store record by record after ${OPERATIONS} operations of ${WRITERS} writers that are killed, like the services`,
    async () => {
      const started = performance.now();
      const mirrors = new Map(FEED_KINDS.map((kind) => [kind, new Mirror(feedPath(kind))]));
      const written: Written = { operations: 0, commands: 0, kills: 0 };
      let isWriting = true;
      let pages = 0;
      const following = (async () => {
        while (isWriting) {
          for (const mirror of mirrors.values()) {
            // Also small pages, so that positions inside a revision occur.
            await mirror.readPage(services, 1 + random(100));
            pages += 1;
          }
        }
      })();
      const writers = Array.from({ length: WRITERS }, (_, nth) =>
        new WriterProcess(testDatabase, nth, randomNumbers(SEED + 1 + nth), LINES_PER_FILE, written).writeUntil(
          OPERATIONS,
        ),
      );
      try {
        await Promise.all(writers);
      } finally {
        isWriting = false;
        await Promise.allSettled([...writers, following]);
      }
      await following;
      await services.endKills();
      const seconds = Math.round((performance.now() - started) / 1000);
      const found = await differencesOf(mirrors);
      const sum = (of: keyof Differences) => Object.values(found).reduce((total, each) => total + each[of], 0);
      const totals = { missing: sum('missing'), extra: sum('extra'), stale: sum('stale') };
      report({ drill: `copy, ${dialect}`, ...written, service_kills: services.kills, pages, seconds, ...totals });
      expect(found).toEqual(Object.fromEntries(FEED_KINDS.map((kind) => [kind, NO_DIFFERENCE])));
      expect(Math.min(written.kills, services.kills, pages)).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  /** Follows the feeds to their ends. @returns the differences of each copy */
  async function differencesOf(mirrors: ReadonlyMap<FeedKind, Mirror>): Promise<Record<string, Differences>> {
    const database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    try {
      const found: Record<string, Differences> = {};
      for (const [kind, mirror] of mirrors) {
        await mirror.follow(services);
        const stored = await storedRecords({ database }, kind);
        expect(stored.size).toBeGreaterThan(0);
        found[kind] = compare(mirror.records, stored);
      }
      return found;
    } finally {
      await database.close();
    }
  }
});
