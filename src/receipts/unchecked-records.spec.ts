import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { OutageJournal } from './outage-journal.js';
import { UncheckedRecords } from './unchecked-records.js';
import { UnsettledRecords } from './unsettled-records.js';
import type { UsageRecord } from './usage-record.js';

const RECORDS = 1000;

const recordOf = (nth: number): UsageRecord => aUsageRecord({ request_id: `request-${nth}`, key_id: null });

describe('records of callers whose key could not be looked up', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const unsettledIn = async (path: string): Promise<UnsettledRecords> => {
    const logger = pino({ level: 'silent' });
    const registry = { remove: async () => false };
    const unsettled = new UnsettledRecords(new OutageJournal(path, 'one', logger, registry), logger);
    await unsettled.start();
    return unsettled;
  };
  const all = Array.from({ length: RECORDS }, (_, nth) => recordOf(nth));

  it('share one write, and are in the file once it is said', async () => {
    const unsettled = await unsettledIn(folder);
    const unchecked = new UncheckedRecords(unsettled);
    const recorded = all.map((record) => unchecked.record(record));
    expect(unchecked.oldestReceivedAt).toBe(1769817600000);
    expect(new Set(await Promise.all(recorded))).toEqual(new Set([true]));
    expect(unchecked.oldestReceivedAt).toBe(Infinity);
    expect((await unsettled.readOldest())?.flatMap(({ records }) => records)).toEqual(all);
    await unsettled.removeOldest();
    expect(unsettled.hasAny).toBe(false);
    await unsettled.close(false);
  });

  it('are kept in memory where the disk takes none, as far as they leave room to others', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    const unsettled = await unsettledIn(path);
    const unchecked = new UncheckedRecords(unsettled);
    for (let batch = 0; batch < 11; batch += 1) await Promise.all(all.map((record) => unchecked.record(record)));
    expect([unsettled.hasAny, unsettled.lostRecords]).toEqual([true, RECORDS]);
    await unsettled.add([{ id: 'a', day: 20260131, records: [recordOf(0)] }], false);
    expect(unsettled.lostRecords).toBe(RECORDS);
  });

  it('are written before a stop ends', async () => {
    const unsettled = await unsettledIn(folder);
    const unchecked = new UncheckedRecords(unsettled);
    void unchecked.record(recordOf(0));
    await unchecked.close();
    await unsettled.close(false);
    const next = await unsettledIn(folder);
    expect((await next.readOldest())?.flatMap(({ records }) => records)).toEqual([recordOf(0)]);
    await next.close(false);
  });

  it('lose nothing while what is in the file is being settled', async () => {
    const unsettled = await unsettledIn(folder);
    const seen: string[] = [];
    let isOver = false;
    const settling = (async () => {
      while (!isOver || unsettled.hasAny) {
        const groups = (await unsettled.readOldest()) ?? [];
        await new Promise(setImmediate);
        if (groups.length > 0) await unsettled.removeOldest();
        seen.push(...groups.flatMap(({ records }) => records.map(({ request_id }) => request_id)));
      }
    })();
    const additions: Promise<boolean>[] = [];
    for (const [nth, record] of all.slice(0, 200).entries()) {
      const added = unsettled.addUnchecked([{ id: `group-${nth}`, day: 20260131, records: [record] }]);
      if (nth % 3 > 0) await added;
      additions.push(added);
    }
    expect(new Set(await Promise.all(additions))).toEqual(new Set([true]));
    isOver = true;
    await settling;
    expect(new Set(seen).size).toBe(200);
    await unsettled.close(false);
  });
});
