import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { SecretEntity } from '../../../src/database/secret.entity.js';
import type { Select, StreamRows } from '../../../src/database/statements.js';
import { readConfig } from '../../../src/model/config.js';
import { migrate, openDatabase, openMemoryDatabase } from '../../../src/schema/open-database.js';
import { skipSqlCheck } from '../../support/sql/sql-list.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';

skipSqlCheck();

const NAMES = { sql: "SELECT name FROM secrets WHERE name LIKE 'test %' ORDER BY name" } as Select<{ name: string }>;

describe.each([...DIALECTS, 'memory' as const])('a snapshot (%s)', (store) => {
  let testDatabase: TestDatabase | null = null;
  let database: Database;
  beforeAll(async () => {
    if (store === 'memory') {
      database = await openMemoryDatabase();
      return;
    }
    testDatabase = await createTestDatabase(store);
    database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase?.drop();
  });

  const add = (name: string) => database.write((writer) => writer.upsert(SecretEntity, [{ name, value: 'x' }]));
  const names = async (stream: StreamRows): Promise<string[]> => {
    const found: string[] = [];
    for await (const rows of stream(NAMES, [])) found.push(...rows.map(({ name }) => name));
    return found;
  };

  it('sees the state at its start, not what is written while it lasts', async () => {
    await add('test a');
    let writing: Promise<unknown> = Promise.resolve();
    const seen = await database.snapshot(async (stream) => {
      const before = await names(stream);
      writing = add('test b');
      // In memory, writers wait for the end of the snapshot.
      if (store !== 'memory') await writing;
      return [before, await names(stream)];
    });
    expect(seen).toEqual([['test a'], ['test a']]);
    await writing;
    expect(await database.snapshot(names)).toEqual(['test a', 'test b']);
  });

  it('passes an error on, also from the middle of its rows, and leaves the database usable', async () => {
    const many = Array.from({ length: 3000 }, (_, nth) => ({ name: `test ${nth + 10_000}`, value: 'x' }));
    await database.write((writer) => writer.upsert(SecretEntity, many));
    const failure = new Error('on purpose');
    const failing = database.snapshot(async (stream) => {
      for await (const rows of stream(NAMES, [])) if (rows.length > 0) throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect(await database.snapshot(names)).toHaveLength(3002);
    await add('test c');
    expect((await database.all(NAMES, [])).length).toBe(3003);
  });

  if (store === 'mysql') {
    it('leaves its connection with the isolation level of the others', async () => {
      await database.snapshot(names);
      // By either name of the variable: MariaDB 10.11 and MySQL 8 share none.
      const sql = "SHOW VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')";
      const levels = await Promise.all(
        Array.from({ length: 10 }, () => database.all<{ Value: string }>({ sql }, [], { source: 'primary' })),
      );
      expect(new Set(levels.flat().map(({ Value }) => String(Value)))).toEqual(new Set(['READ-COMMITTED']));
    });
  }
});
