import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { DIALECTS } from '../../support/stores/test-database.js';
import { fillLists } from '../../support/lists/list-data.js';
import { TestService } from '../../support/service/test-service.js';
import {
  indexOfCase,
  listCases,
  readList,
  recording,
  type ListCase,
  type SentStatement,
} from '../../support/lists/list-cases.js';
import { present } from '../../support/present.js';

const LIMIT = 10;

/** Maximum number of rows that a page may read: the returned rows, one more, and the steps onto and off the range. */
const MOST_READ = 2 * (LIMIT + 1) + 4;

/** Skipped on machines without MySQL. */
const describeMysql = DIALECTS.includes('mysql') ? describe : describe.skip;

describeMysql('lists on MySQL read only what they return', () => {
  let service: TestService;
  let connection: Connection;
  let narrow: { profile: string; game: string };

  beforeAll(async () => {
    service = await TestService.start('mysql');
    narrow = await fillLists(service);
    connection = await createConnection({ uri: service.testDatabase.url });
    await connection.query('ANALYZE TABLE profiles, content, game_content');
  });
  afterAll(async () => {
    await connection.end();
    await service.stop();
  });

  /** Returns the statements of the first page and of a deep page. */
  async function statementsOf(list: ListCase): Promise<Record<'first' | 'deep', SentStatement>> {
    const { recorded, database } = recording(service.database);
    await readList(database, list, { limit: LIMIT, ...narrow });
    const { nextCursor } = await readList(service.database, list, { limit: 100, ...narrow });
    expect(nextCursor).not.toBeNull();
    const deep = await readList(database, list, { limit: LIMIT, cursor: present(nextCursor), ...narrow });
    expect(deep.documents).toHaveLength(LIMIT);
    expect(recorded).toHaveLength(2);
    return { first: present(recorded[0]), deep: present(recorded[1]) };
  }

  async function explain({ sql, values }: SentStatement) {
    const [rows] = await connection.query<RowDataPacket[]>({ sql: `EXPLAIN ${sql}`, values: [...values] });
    return rows.map((row) => ({ type: String(row.type), key: String(row.key), extra: String(row.Extra) }));
  }

  async function rowsRead({ sql, values }: SentStatement): Promise<number> {
    await connection.query('FLUSH STATUS');
    const [returned] = await connection.query<RowDataPacket[]>({ sql, values: [...values] });
    expect(returned).toHaveLength(LIMIT + 1);
    // Handler_read omits rows that the engine drops by a condition pushed into the index; Handler_icp_attempts counts
    // them.
    const [status] = await connection.query<RowDataPacket[]>(
      "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Handler_icp_attempts'",
    );
    return status.reduce((sum, { Variable_name: name, Value: value }) => {
      return name === 'Handler_icp_attempts' ? Math.max(sum, Number(value)) : sum + Number(value);
    }, 0);
  }

  it.each(listCases())('$title', async (list) => {
    for (const statement of Object.values(await statementsOf(list))) {
      const [page, ...joined] = await explain(statement);
      expect(present(page).key).toBe(indexOfCase(service, list));
      expect(present(page).type).toMatch(/^(range|ref)$/);
      expect(present(page).extra).not.toMatch(/filesort|temporary/i);
      expect(joined).toEqual([]);
      expect(await rowsRead(statement)).toBeLessThanOrEqual(MOST_READ);
    }
  });

  it('the counters reveal a list that reads more', async () => {
    const { deep } = await statementsOf(present(listCases()[0]));
    const sql = deep.sql.replace(/FORCE INDEX \(\w+\)/, 'IGNORE INDEX (profiles_by_updated_at)');
    expect(sql).not.toBe(deep.sql);
    expect(await rowsRead({ ...deep, sql })).toBeGreaterThan(10 * MOST_READ);
  });
});
