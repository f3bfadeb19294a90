import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { readConfig } from '../../../src/model/config.js';
import type { Database } from '../../../src/database/database.js';
import { openCurrentDatabase } from '../../../src/schema/open-database.js';
import { createTestDatabase } from '../../support/databases.js';
import { TestService } from '../../support/service.js';

const PROFILE = '/platforms/live_platform/profiles/none';

describe('usage on the embedded database has a file of its own', () => {
  let service: TestService;
  let beside: Sqlite.Database;

  beforeAll(async () => {
    service = await TestService.start('sqlite');
    beside = new Sqlite(service.testDatabase.url.slice('sqlite:'.length));
  });
  afterAll(async () => {
    beside.close();
    await service.stop();
  });

  const requestsRecorded = async (): Promise<number> => {
    const { body } = await service.get('/usage');
    return (body.payload as { requests: number }[]).reduce((sum, { requests }) => sum + requests, 0);
  };

  it('requests are answered and recorded while an import holds the data', async () => {
    const before = await requestsRecorded();
    beside.exec('BEGIN IMMEDIATE');
    try {
      expect((await service.get(PROFILE)).status).toBe(404);
      // With the one that told the number before.
      expect(await requestsRecorded()).toBe(before + 2);
    } finally {
      beside.exec('ROLLBACK');
    }
  });

  it('a record changes nothing in the file of the data, whose pages are kept', async () => {
    const version = () => beside.pragma('data_version', { simple: true });
    const before = version();
    for (let count = 0; count < 10; count += 1) await service.get(PROFILE);
    expect(version()).toBe(before);
  });

  it('usage that was recorded beside the data moves there with the next start', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const location = readConfig({ DATABASE_URL: testDatabase.url }).database;
    const total = ['key_a', 20260131, 'profiles.get', 3, 3, 3];
    const group = [20260131, 1769817600000, 'a'.repeat(36), 'text'];
    const inserting = (await openCurrentDatabase(location)).dataSource;
    await inserting.query('INSERT INTO usage_totals VALUES (?, ?, ?, ?, ?, ?)', total);
    await inserting.query('INSERT INTO usage_journal VALUES (?, ?, ?, ?)', group);
    await inserting.destroy();
    for (const _start of ['first', 'second']) {
      const database = await openCurrentDatabase(location);
      const rowsOf = async (where: Database, sql: string) =>
        (await where.all<object>({ sql }, [])).map((row) =>
          Object.values(row).map((value: unknown) => (Buffer.isBuffer(value) ? String(value) : value)),
        );
      expect(await rowsOf(database.usage, 'SELECT * FROM usage_totals')).toEqual([total]);
      expect(await rowsOf(database.usage, 'SELECT * FROM usage_journal')).toEqual([group]);
      expect(await rowsOf(database, 'SELECT day FROM usage_totals UNION ALL SELECT day FROM usage_journal')).toEqual(
        [],
      );
      await database.close();
    }
    await testDatabase.drop();
  });

  it('a usage file that cannot be opened stops the start, naming it', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const usagePath = testDatabase.url.slice('sqlite:'.length).replace('.sqlite', '-usage.sqlite');
    writeFileSync(usagePath, 'no database, but long enough for a header of one: '.repeat(10));
    await expect(openCurrentDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database)).rejects.toThrow(
      `${usagePath}: file is not a database`,
    );
    await testDatabase.drop();
  });
});
