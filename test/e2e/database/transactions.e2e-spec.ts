import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import type { Database, Writer } from '../../../src/database/database.js';
import { SecretEntity } from '../../../src/database/secret.entity.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import type { Select } from '../../../src/database/statements.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { skipSqlCheck } from '../../support/sql/sql-list.js';

skipSqlCheck();

/** On MySQL, usage is written by a different code path to the same tables. */
const STORES = DIALECTS.flatMap((dialect) =>
  (dialect === 'mysql' ? ['records', 'usage'] : ['records']).map((store) => ({ dialect, store })),
);

describe.each(STORES)('transactions ($dialect, $store)', ({ dialect, store }) => {
  let testDatabase: TestDatabase;
  let opened: Database;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(dialect);
    opened = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    database = store === 'usage' ? opened.usage : opened;
    await migrate(opened);
  });
  afterAll(async () => {
    await opened.close();
    await testDatabase.drop();
  });

  type Row = readonly [name: string, value: string | null];
  const secret = ([name, value]: Row) => ({ name, value }) as SecretEntity;
  const put = (writer: Writer, ...rows: Row[]) => writer.upsert(SecretEntity, rows.map(secret));
  const remove = (writer: Writer, name: string) => writer.remove(SecretEntity, ['name'], [{ name }]);
  const STORED = {
    sql: "SELECT name, value FROM secrets WHERE name LIKE 'test %' ORDER BY name",
  } as Select<SecretEntity>;
  const rowsOf = (secrets: readonly SecretEntity[]) => secrets.map(({ name, value }) => [name, value]);
  const stored = async () => rowsOf(await database.all(STORED, []));
  const GOOD: Row = ['test good', 'value'];
  const BAD: Row = ['test bad', null]; // no secret is null

  it.each([
    ['the only one', [BAD]],
    ['the first', [BAD, GOOD, GOOD, GOOD]],
    ['in the middle', [GOOD, BAD, GOOD, GOOD]],
    ['the last', [GOOD, GOOD, GOOD, BAD]],
  ])('a statement that fails undoes its transaction: %s', async (_place, statements) => {
    const work = database.write(async (writer) => {
      for (const row of statements) await put(writer, row);
    });
    await expect(work).rejects.toThrow(/NOT NULL|cannot be null/i);
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['the first', [BAD, GOOD]],
    ['the last', [GOOD, BAD]],
  ])('a failed statement that was not awaited undoes its transaction: %s', async (_place, statements) => {
    const work = database.write(async (writer) => {
      for (const row of statements) void put(writer, row);
    });
    await expect(work).rejects.toThrow(/NOT NULL|cannot be null/i);
    expect(await stored()).toEqual([]);
  });

  it('the caller can continue after a failed transaction', async () => {
    await database.write(async (writer) => put(writer, BAD)).catch(() => undefined);
    await database.write(async (writer) => put(writer, GOOD));
    expect(await stored()).toEqual([GOOD]);
    await database.write((writer) => remove(writer, 'test good'));
    expect(await stored()).toEqual([]);
  });

  it('a read sees what earlier statements of its transaction wrote', async () => {
    const seen = await database.write(async (writer) => {
      await put(writer, ['test 1', 'old'], ['test 2', 'old']);
      await put(writer, ['test 2', 'new']);
      await remove(writer, 'test 1');
      const rows = rowsOf(await writer.all(STORED, []));
      await remove(writer, 'test 2');
      return rows;
    });
    expect(seen).toEqual([['test 2', 'new']]);
    expect(await stored()).toEqual([]);
  });

  it('an error of the caller undoes statements already sent', async () => {
    const work = database.write(async (writer) => {
      await put(writer, GOOD);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    // This transaction could not start while the other one was open.
    await database.write((writer) => put(writer, ['test after', 'value']));
    expect(await stored()).toEqual([['test after', 'value']]);
    await database.write((writer) => remove(writer, 'test after'));
  });
});

describe('a transaction of the embedded database', () => {
  it('fails with the first error, not with one that followed from it', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    try {
      await migrate(database);
      const full = database.write(async (writer) => {
        const [pages] = await writer.all<{ page_count: number }>({ sql: 'PRAGMA page_count' }, []);
        await writer.all({ sql: `PRAGMA max_page_count = ${Number(pages?.page_count) + 5}` }, []);
        void writer.upsert(SecretEntity, [{ name: 'test large', value: 'x'.repeat(1_000_000) }]);
        await writer.all({ sql: 'SELECT 1' }, []); // SQLite has rolled back the transaction by itself
      });
      await expect(full).rejects.toThrow('database or disk is full');
      expect(await database.all({ sql: "SELECT name FROM secrets WHERE name LIKE 'test %'" }, [])).toEqual([]);
    } finally {
      await database.close();
      await testDatabase.drop();
    }
  });
});
