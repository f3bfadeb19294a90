import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import type { Database } from '../../../src/database/database.js';
import { SecretEntity } from '../../../src/database/secret.entity.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';

const NAMES = ['conflict a', 'conflict b'] as const;

// SQLite runs one writing transaction at a time, so none conflicts.
describe.each(DIALECTS.filter((dialect) => dialect === 'mysql'))('two conflicting transactions (%s)', (dialect) => {
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
  beforeEach(() =>
    database.write((writer) =>
      writer.upsert(
        SecretEntity,
        NAMES.map((name) => ({ name, value: '' })),
      ),
    ),
  );

  /** Resolves for the first two callers once both have called; later callers do not wait. */
  const meeting = () => {
    let arrive: () => void = () => undefined;
    let arrived = 0;
    const both = new Promise<void>((resolve) => (arrive = resolve));
    return () => {
      arrived += 1;
      if (arrived >= 2) arrive();
      return both;
    };
  };
  const stored = async () => {
    const rows = await database.dataSource.getRepository(SecretEntity).find({ order: { name: 'ASC' } });
    return rows.filter(({ name }) => name.startsWith('conflict')).map(({ value }) => value);
  };
  const orders = [NAMES, NAMES.toReversed()] as const;

  it('are both stored whole: the aborted one is retried', async () => {
    const met = meeting();
    let runs = 0;
    const outcomes = orders.map(([first, second], nth) =>
      database.write(async (writer) => {
        runs += 1;
        await writer.upsert(SecretEntity, [{ name: String(first), value: `by ${nth}` }]);
        await met();
        await writer.upsert(SecretEntity, [{ name: String(second), value: `by ${nth}` }]);
        return nth;
      }),
    );
    expect(await Promise.all(outcomes)).toEqual([0, 1]);
    expect(runs).toBeGreaterThan(2);
    const [a, b] = await stored();
    expect(a).toMatch(/^by [01]$/);
    expect(b).toBe(a);
  });

  it('are retried when they use statements of TypeORM, too', async () => {
    const met = meeting();
    let runs = 0;
    const outcomes = orders.map(([first, second], nth) =>
      database.retryOnConflict(() =>
        database.dataSource.transaction(async (manager) => {
          runs += 1;
          await manager.update(SecretEntity, { name: first }, { value: `by ${nth}` });
          await met();
          await manager.update(SecretEntity, { name: second }, { value: `by ${nth}` });
        }),
      ),
    );
    await Promise.all(outcomes);
    expect(runs).toBeGreaterThan(2);
    const [a, b] = await stored();
    expect(b).toBe(a);
  });

  it('fail at once on any other error', async () => {
    let runs = 0;
    const work = database.write(async (writer) => {
      runs += 1;
      await writer.insert(SecretEntity, [{ name: NAMES[0], value: 'there already' }]);
    });
    await expect(work).rejects.toThrow(/duplicate entry/i);
    expect(runs).toBe(1);
  });
});
