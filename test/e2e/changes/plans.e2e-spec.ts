import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { FEED_START } from '../../../src/features/changes/change-cursor.js';
import { ChangesQueries } from '../../../src/features/changes/changes.queries.js';
import type { Feed } from '../../../src/features/changes/feeds.js';
import { FEED_KINDS } from '../../../src/features/changes/feeds.js';
import { forgetCreator } from '../../../src/operator/import/forget.js';
import { recording, type SentStatement } from '../../support/lists/list-cases.js';
import { present } from '../../support/present.js';
import { aContent, aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { TestService } from '../../support/service/test-service.js';
import { DIALECTS } from '../../support/stores/test-database.js';

const LIMIT = 10;
const RECORDS = 120;
const FORGOTTEN = 60;

/** Maximum number of rows that a page may read: the returned rows, one more, and the steps onto and off the range. */
const MOST_READ = 2 * (LIMIT + 1) + 4;

const TABLES: Readonly<Record<string, string>> = {
  profiles: 'profiles',
  content: 'content',
  analysis: 'creator_analyses',
  audience: 'audience_analyses',
  socials: 'social_links',
  emails: 'emails',
  games: 'games',
};

const FEEDS: readonly Feed[] = [
  ...FEED_KINDS.map((kind) => ({ kind, platform: 'live_platform' }) as const),
  { kind: 'games', platform: null },
];

describe.each(DIALECTS)('pages of feeds read only what they return (%s)', (dialect) => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(dialect);
    const ids = Array.from({ length: RECORDS }, uniqueId);
    const owner = (profile_id: string) => ({ platform_id: 'live_platform', profile_id });
    // Half of them in one revision, the others in one each half.
    for (const part of [
      ids.slice(0, RECORDS / 2),
      ids.slice(RECORDS / 2, (RECORDS * 3) / 4),
      ids.slice((RECORDS * 3) / 4),
    ]) {
      await service.load('profiles', ...part.map((id) => aProfile({ id })));
      await service.load('content', ...part.map((id) => aContent({ content_id: id, profile_id: id })));
      await service.load('games', ...part.map((id) => aGame({ id })));
      await service.load('analysis', ...part.map((id) => ({ ...owner(id), analysis: sampleOf(CREATOR_ANALYSIS) })));
      await service.load('audience', ...part.map((id) => ({ ...owner(id), audience: sampleOf(AUDIENCE_ANALYSIS) })));
      await service.load('socials', ...part.map((id) => ({ ...owner(id), links: [] })));
      await service.load('emails', ...part.map((id) => ({ ...owner(id), email: 'ada@example.com' })));
    }
    for (const id of ids.slice(0, FORGOTTEN)) await forgetCreator(service.database, 'live_platform', id, Date.now());
  });
  afterAll(() => service.stop());

  /** Returns the statements of the first and of a deep page. */
  async function statementsOf(feed: Feed): Promise<{ stored: SentStatement[]; deleted: SentStatement[] }> {
    const { recorded, database } = recording(service.database);
    const queries = new ChangesQueries(database);
    const state = await new ChangesQueries(service.database).readState(feed);
    const first = await queries.readChanges(feed, FEED_START, state, LIMIT);
    await queries.readChanges(feed, present(first.at(-1)), state, LIMIT);
    const isDeleted = ({ sql }: SentStatement) => sql.includes('deleted_records');
    return { stored: recorded.filter((sent) => !isDeleted(sent)), deleted: recorded.filter(isDeleted) };
  }

  async function planOf({ sql, values }: SentStatement): Promise<string> {
    const rows = await service.database.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}` }, values);
    return rows.map(({ detail }) => detail).join('\n');
  }

  async function expectCheap(statement: SentStatement, table: string): Promise<void> {
    const index = `${table}_by_revision`;
    if (dialect === 'sqlite') {
      requireIndexSearch(await planOf(statement), table, index);
      return;
    }
    const connection = await createConnection({ uri: service.testDatabase.url });
    try {
      const { sql, values } = statement;
      await connection.query(`ANALYZE TABLE ${table}`);
      const [plan] = await connection.query<RowDataPacket[]>({ sql: `EXPLAIN ${sql}`, values: [...values] });
      expect(plan.map(({ key }) => String(key))).toEqual([index]);
      expect(String(plan[0]?.type)).toMatch(/^(range|ref)$/);
      expect(String(plan[0]?.Extra)).not.toMatch(/filesort|temporary/i);
    } finally {
      await connection.end();
    }
    expect(await rowsReadBy(statement)).toBeLessThanOrEqual(MOST_READ);
  }

  async function expectThreeRows(statement: SentStatement): Promise<void> {
    if (dialect === 'sqlite') {
      requireNoScan(await planOf(statement));
      return;
    }
    expect(await rowsReadBy(statement)).toBeLessThanOrEqual(3);
  }

  /** Returns how many rows MySQL reads. */
  async function rowsReadBy({ sql, values }: SentStatement): Promise<number> {
    const connection = await createConnection({ uri: service.testDatabase.url });
    try {
      await connection.query('FLUSH STATUS');
      await connection.query({ sql, values: [...values] });
      const [status] = await connection.query<RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Handler_read%'");
      return status.reduce((sum, { Value: value }) => sum + Number(value), 0);
    } finally {
      await connection.end();
    }
  }

  it('the state of a feed: three rows, however many were deleted', async () => {
    const { recorded, database } = recording(service.database);
    const state = await new ChangesQueries(database).readState({ kind: 'profiles', platform: 'live_platform' });
    expect(state).toMatchObject({ latest: 3 + FORGOTTEN, lastDeleted: 3 + FORGOTTEN });
    await expectThreeRows(present(recorded[0]));
  });

  it.each(FEEDS)('$kind', async (feed) => {
    const { stored, deleted } = await statementsOf(feed);
    expect(stored).toHaveLength(2);
    for (const statement of stored) await expectCheap(statement, present(TABLES[feed.kind]));
    expect(deleted).toHaveLength(feed.kind === 'games' ? 0 : 2);
    for (const statement of deleted) await expectCheap(statement, 'deleted_records');
  });
});

/** @throws Error if a plan of SQLite reads a whole table or sorts */
function requireNoScan(plan: string): void {
  if (/SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(plan)) throw new Error(`reads a table: ${plan}`);
}

/** @throws Error unless a plan of SQLite only searches the index */
function requireIndexSearch(plan: string, table: string, index: string): void {
  if (plan.startsWith(`SEARCH ${table} USING INDEX ${index} (`) && !/TEMP B-TREE|SCAN/.test(plan)) return;
  throw new Error(`not a search of ${index}: ${plan}`);
}
