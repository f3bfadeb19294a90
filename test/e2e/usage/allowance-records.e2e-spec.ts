import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/database/database.js';
import { readConfig } from '../../../src/model/config.js';
import { AllowanceWarnings } from '../../../src/receipts/allowance-warnings.js';
import type { MonthAllowance } from '../../../src/receipts/allowances.js';
import { groupByDay, type UsageRecord } from '../../../src/receipts/usage-record.js';
import { UsageStore } from '../../../src/receipts/usage-store.js';
import { KeyMonthEntity, UsageTotalEntity } from '../../../src/receipts/usage.entities.js';
import { migrate, openDatabase } from '../../../src/schema/open-database.js';
import { aUsageRecord, uniqueId } from '../../support/records/builders.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

const MONTH = 202601;

describe.each(DIALECTS)('the records of a key with an allowance (%s)', (dialect) => {
  let testDatabase: TestDatabase;
  let database: Database;
  let store: UsageStore;
  let other: UsageStore;
  beforeAll(async () => {
    testDatabase = await createTestDatabase(dialect);
    database = await openDatabase(readConfig({ DATABASE_URL: testDatabase.url }).database);
    await migrate(database);
    store = new UsageStore(database);
    other = new UsageStore(database);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  const aRecord = (keyId: string, units: number, credits = 0): UsageRecord =>
    aUsageRecord({ key_id: keyId, status: 200, quota_units: units, credits });
  const allowancesOf = (records: readonly UsageRecord[], allowance: Partial<MonthAllowance>) =>
    new Map(records.map((record) => [record, { monthUnits: null, monthCredits: null, ...allowance }]));
  /** Writes a group. @returns for each record whether it was admitted, and the units used after it */
  const write = async (through: UsageStore, records: readonly UsageRecord[], allowance: Partial<MonthAllowance>) => {
    const { byRecord } = await through.write(groupByDay(records), undefined, allowancesOf(records, allowance));
    return records.map((record) => [byRecord.get(record)?.isRejected, byRecord.get(record)?.used.quotaUnits]);
  };
  const monthOf = async (keyId: string) => {
    const [row] = await database.usage.dataSource.getRepository(KeyMonthEntity).findBy({ key_id: keyId, month: MONTH });
    return row === undefined ? null : [row.quota_units, row.credits, row.warned_percent];
  };
  const totalOf = async (keyId: string) => {
    const rows = await database.usage.dataSource.getRepository(UsageTotalEntity).findBy({ key_id: keyId });
    return rows.reduce((sum, { quota_units }) => sum + quota_units, 0);
  };

  it('are admitted in their order, also where another process has used the allowance meanwhile', async () => {
    const key = uniqueId();
    const allowance = { monthUnits: 10 };
    expect(await write(store, [aRecord(key, 3)], allowance)).toEqual([[false, 3]]);
    expect(await write(other, [aRecord(key, 5)], allowance)).toEqual([[false, 8]]);
    // This process knows of 3 units.
    expect(await write(store, [aRecord(key, 4), aRecord(key, 2), aRecord(key, 1)], allowance)).toEqual([
      [true, 8],
      [false, 10],
      [true, 10],
    ]);
    expect([await monthOf(key), await totalOf(key)]).toEqual([[10, 0, 0], 10]);
  });

  it('count what the key used without an allowance, from the totals', async () => {
    const key = uniqueId();
    await store.write(groupByDay([aRecord(key, 7)]));
    expect(await monthOf(key)).toBeNull();
    expect(await write(store, [aRecord(key, 2), aRecord(key, 2)], { monthUnits: 10 })).toEqual([
      [false, 9],
      [true, 9],
    ]);
  });

  it('leave a key without an allowance in the same group alone', async () => {
    const [key, free] = [uniqueId(), uniqueId()];
    const records = [aRecord(key, 5), aRecord(free, 100)];
    const { byRecord } = await store.write(
      groupByDay(records),
      undefined,
      allowancesOf(records.slice(0, 1), { monthUnits: 1 }),
    );
    expect([...byRecord.values()].map(({ isRejected }) => isRejected)).toEqual([true]);
    expect([await totalOf(key), await totalOf(free), await monthOf(free)]).toEqual([0, 100, null]);
  });

  it('give their units back when an attempt that was committed is answered 503', async () => {
    const key = uniqueId();
    const allowance = { monthUnits: 10 };
    const records = [aRecord(key, 6), aRecord(key, 2)];
    const groups = groupByDay(records);
    await store.write(groups, undefined, allowancesOf(records, allowance));
    expect(await monthOf(key)).toEqual([8, 0, 0]);
    const unavailable = groups.map((group) => ({
      ...group,
      records: group.records.map((record) => ({ ...record, status: 503, quota_units: 0 })),
    }));
    await other.settle(unavailable);
    expect([await monthOf(key), await totalOf(key)]).toEqual([[0, 0, 0], 0]);
    // This process knows of 8 units.
    expect(await write(store, [aRecord(key, 9)], allowance)).toEqual([[false, 9]]);
  });

  it('are admitted once when a write of unknown outcome is repeated', async () => {
    const key = uniqueId();
    const records = [aRecord(key, 6), aRecord(key, 5)];
    const groups = groupByDay(records);
    const allowances = allowancesOf(records, { monthUnits: 10 });
    await store.write(groups, undefined, allowances);
    const { byRecord } = await store.settle(groups, undefined, allowances);
    expect([...byRecord.values()].map(({ isRejected, used }) => [isRejected, used.quotaUnits])).toEqual([
      [false, 6],
      [true, 6],
    ]);
    expect([await monthOf(key), await totalOf(key)]).toEqual([[6, 0, 0], 6]);
  });

  it('are held also after a command discarded the month', async () => {
    const key = uniqueId();
    const allowance = { monthUnits: 10 };
    expect(await write(store, [aRecord(key, 9)], allowance)).toEqual([[false, 9]]);
    await database.usage.dataSource.getRepository(KeyMonthEntity).delete({ key_id: key });
    expect(await write(other, [aRecord(key, 2)], allowance)).toEqual([[true, 9]]);
    await database.usage.dataSource.getRepository(KeyMonthEntity).delete({ key_id: key });
    expect(await write(store, [aRecord(key, 0)], allowance)).toEqual([[false, 9]]);
    expect(await write(store, [aRecord(key, 2), aRecord(key, 1)], allowance)).toEqual([
      [true, 9],
      [false, 10],
    ]);
  });

  it('are warned of once at 80 and at 100 percent, by whichever process gets there', async () => {
    const key = uniqueId();
    const lines: unknown[] = [];
    const logger = { warn: (line: object) => void lines.push(line), error: (line: object) => void lines.push(line) };
    const use = async (through: UsageStore, units: number) => {
      const records = [aRecord(key, units)];
      const { reached } = await through.write(
        groupByDay(records),
        undefined,
        allowancesOf(records, { monthUnits: 10 }),
      );
      const [one, two] = [new AllowanceWarnings(through, logger), new AllowanceWarnings(other, logger)];
      one.warn(reached);
      two.warn(reached);
    };
    await use(store, 7);
    await use(other, 1);
    await until('it is warned at 80 percent', async () => lines.length === 1);
    await use(store, 1);
    await use(other, 1);
    await until('it is warned at 100 percent', async () => lines.length === 2);
    await use(store, 1);
    await delay(100);
    expect(lines).toEqual([
      { key_id: key, month: '2026-01', percent: 80, quota_units: 8, quota_units_limit: 10 },
      { key_id: key, month: '2026-01', percent: 100, quota_units: 10, quota_units_limit: 10 },
    ]);
    expect(await monthOf(key)).toEqual([10, 0, 100]);
  });
});
