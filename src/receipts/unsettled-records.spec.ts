import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { OutageJournal } from './outage-journal.js';
import { UnsettledRecords } from './unsettled-records.js';
import type { UsageGroup } from './usage-record.js';

const logger = pino({ level: 'silent' });

const group = (requests: number): UsageGroup => ({
  id: 'group',
  day: 20260131,
  records: Array.from({ length: requests }, (_, nth) => aUsageRecord({ request_id: String(nth) })),
});

describe('records that the local disk does not take either', () => {
  let folder: string;
  let unsettled: UnsettledRecords;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    // No folder can be made in a file, whoever runs this.
    const registry = { remove: async () => false };
    unsettled = new UnsettledRecords(new OutageJournal(join(file, 'below'), 'one', logger, registry), logger);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['that did not arrive in the store', false, 50_000],
    ['that may arrive', true, 100_000],
  ])('%s are kept in memory up to a limit, and lost and counted beyond', async (_what, mayArrive, most) => {
    expect(await unsettled.add([group(most)], mayArrive)).toBe(false);
    expect([unsettled.hasAny, unsettled.lostRecords]).toEqual([true, 0]);
    await unsettled.add([group(1)], mayArrive);
    expect(unsettled.lostRecords).toBe(1);
    expect(unsettled.oldestReceivedAt).toBe(1769817600000);
  });
});
