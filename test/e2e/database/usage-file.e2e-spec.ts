import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedConnection } from '../../../src/database/sqlite/embedded-connection.js';
import { readConfig } from '../../../src/model/config.js';
import { openCurrentDatabase } from '../../../src/schema/open-database.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { TestService } from '../../support/service/test-service.js';

const PROFILE = '/platforms/live_platform/profiles/none';

describe('usage on the embedded database has a file of its own', () => {
  let service: TestService;
  let beside: EmbeddedConnection;

  beforeAll(async () => {
    service = await TestService.start('sqlite');
    beside = new EmbeddedConnection(service.testDatabase.url.slice('sqlite:'.length));
  });
  afterAll(async () => {
    beside.close();
    await service.stop();
  });

  const requestsRecorded = async (): Promise<number> => {
    const { body } = await service.get('/usage');
    return (body.payload as { requests: number }[]).reduce((sum, { requests }) => sum + requests, 0);
  };

  it('requests are answered and recorded while an import locks the data', async () => {
    const before = await requestsRecorded();
    beside.exec('BEGIN IMMEDIATE');
    try {
      expect((await service.get(PROFILE)).status).toBe(404);
      // Including the request that returned the previous number.
      expect(await requestsRecorded()).toBe(before + 2);
    } finally {
      beside.exec('ROLLBACK');
    }
  });

  it('a usage record leaves the data file, and so its cached pages, unchanged', async () => {
    const version = () => beside.pragma('data_version');
    const before = version();
    for (let count = 0; count < 10; count += 1) await service.get(PROFILE);
    expect(version()).toEqual(before);
  });

  it('a usage file that cannot be opened stops the start and is named', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const usagePath = testDatabase.url.slice('sqlite:'.length).replace('.sqlite', '-usage.sqlite');
    writeFileSync(usagePath, 'no database, but long enough for a header of one: '.repeat(10));
    await expect(openCurrentDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database)).rejects.toThrow(
      `DATABASE_URL must be sqlite:PATH of a file that this user can write: ${usagePath} is not an SQLite database`,
    );
    await testDatabase.drop();
  });

  it('a usage file does not become a database, and a database not its own usage file', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const { folder } = testDatabase;
    const open = async (name: string) => {
      const database = await openCurrentDatabase(readConfig({ DATABASE_URL: `sqlite:${join(folder, name)}` }).database);
      await database.close();
    };
    await open('x.sqlite');
    await expect(open('x-usage.sqlite')).rejects.toThrow(
      `DATABASE_URL must be sqlite:PATH of a file that this user can write: ${folder}/x-usage.sqlite is the usage file of ${folder}/x.sqlite`,
    );
    expect(existsSync(join(folder, 'x-usage-usage.sqlite'))).toBe(false);
    linkSync(join(folder, 'x.sqlite'), join(folder, 'y.sqlite'));
    linkSync(join(folder, 'x.sqlite'), join(folder, 'y-usage.sqlite'));
    await expect(open('y.sqlite')).rejects.toThrow(
      `${folder}/y.sqlite is also its usage file ${folder}/y-usage.sqlite`,
    );
    mkdirSync(join(folder, 'z'));
    for (const name of ['x.sqlite', 'alone-usage.sqlite', 'z-usage', 'a b.sqlite']) await open(name);
    await testDatabase.drop();
  });
});
