import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import type { Database, Row, Writer } from '../../../src/database/database.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/databases.js';

describe.each(DIALECTS)('transactions (%s)', (dialect) => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(dialect);
    database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const put = (writer: Writer, ...rows: Row[]) => writer.upsert('secrets', ['name', 'value'], ['name'], rows);
  const stored = () => database.read("SELECT name, value FROM secrets WHERE name LIKE 'test %' ORDER BY name", []);
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

  it('the caller can go on after one that failed', async () => {
    await database.write(async (writer) => put(writer, BAD)).catch(() => undefined);
    await database.write(async (writer) => put(writer, GOOD));
    expect(await stored()).toEqual([GOOD]);
    await database.write((writer) => writer.remove('secrets', ['name'], [['test good']]));
    expect(await stored()).toEqual([]);
  });

  it('a read sees what the statements before it in the transaction wrote', async () => {
    const seen = await database.write(async (writer) => {
      await put(writer, ['test 1', 'old'], ['test 2', 'old']);
      await put(writer, ['test 2', 'new']);
      await writer.remove('secrets', ['name'], [['test 1']]);
      const rows = await writer.all("SELECT name, value FROM secrets WHERE name LIKE 'test %'", []);
      await writer.remove('secrets', ['name'], [['test 2']]);
      return rows;
    });
    expect(seen).toEqual([['test 2', 'new']]);
    expect(await stored()).toEqual([]);
  });

  it('an error of the caller undoes what was handed over already', async () => {
    const work = database.write(async (writer) => {
      await put(writer, GOOD);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    // This one could not begin if the other were still open.
    await database.write((writer) => put(writer, ['test after', 'value']));
    expect(await stored()).toEqual([['test after', 'value']]);
    await database.write((writer) => writer.remove('secrets', ['name'], [['test after']]));
  });
});

describe('a transaction of the embedded database', () => {
  it('fails with what went wrong first, not with what followed from it', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    try {
      await migrate(database);
      const full = database.write(async (writer) => {
        const [pages] = await writer.all('PRAGMA page_count', []);
        await writer.all(`PRAGMA max_page_count = ${Number(pages?.[0]) + 5}`, []);
        await writer.upsert('secrets', ['name', 'value'], ['name'], [['test large', 'x'.repeat(1_000_000)]]);
        await writer.all('SELECT 1', []); // SQLite has undone the transaction by itself
      });
      await expect(full).rejects.toThrow('database or disk is full');
      expect(await database.read("SELECT name FROM secrets WHERE name LIKE 'test %'", [])).toEqual([]);
    } finally {
      await database.close();
      await testDatabase.drop();
    }
  });
});
