import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { aUsageRecord } from '../../test/support/records/builders.js';
import { CommitUnknownError, StoreUnavailableError } from '../database/database.js';
import { OutageJournal } from './outage-journal.js';
import { UnsettledRecords } from './unsettled-records.js';
import type { UsageGroup } from './usage-record.js';
import { OutcomeUnknownError } from './record-batch.js';
import { NOTHING_CHECKED, type WriteResult } from './allowance-writer.js';
import { UsageRecorder } from './usage-recorder.js';
import type { UsageStore } from './usage-store.js';

const TIMEOUT_MS = 20_000;

const RECORD = aUsageRecord({ request_id: 'a', status: 200, quota_units: 1, items_returned: 1 });

const UNAVAILABLE = { isDurable: false, allowanceCheck: null };

/** A store that does as it is told, for every attempt. */
class FakeStore {
  readonly settled: UsageGroup[] = [];
  fail: (() => Promise<void>) | null = null;

  async write(): Promise<WriteResult> {
    await this.fail?.();
    return NOTHING_CHECKED;
  }

  async probe(): Promise<void> {
    await this.fail?.();
  }

  async settle(groups: readonly UsageGroup[]): Promise<WriteResult> {
    await this.fail?.();
    this.settled.push(...groups);
    return NOTHING_CHECKED;
  }
}

describe('the recorder while the store fails', () => {
  let folder: string;
  let store: FakeStore;
  let recorder: UsageRecorder;
  let unsettled: UnsettledRecords;

  const recorderIn = async (path: string) => {
    const logger = pino({ level: 'silent' });
    const registry = { remove: async () => false };
    unsettled = new UnsettledRecords(new OutageJournal(path, 'one', logger, registry), logger);
    await unsettled.start();
    store = new FakeStore();
    recorder = new UsageRecorder(store as unknown as UsageStore, unsettled, logger);
  };
  const close = async () => {
    await recorder.close();
    await unsettled.close(false);
  };
  const record = () => {
    recorder.beginExpected();
    return recorder.record(RECORD, null);
  };
  const statuses = () => store.settled.flatMap(({ records }) => records.map(({ status }) => status));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const unavailable = () => Promise.reject(new StoreUnavailableError(new Error('locked')));
  const committing = () => Promise.reject(new CommitUnknownError(new Error('cut')));
  const hanging = () => new Promise<void>(() => undefined);

  it.each([
    ['refuses', unavailable],
    ['does not answer a commit', committing],
    ['hangs', hanging],
  ])(
    'says 503 when it %s, and leaves that to the next start',
    async (_, fail) => {
      await recorderIn(folder);
      store.fail = fail;
      expect(await record()).toEqual(UNAVAILABLE);
      await close();
      expect(statuses()).toEqual([]);
      await recorderIn(folder);
      await close();
      expect(statuses()).toEqual([503]);
    },
    TIMEOUT_MS,
  );

  // A file in place of the folder: nothing can be created in it.
  const withoutDisk = () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    return recorderIn(path);
  };

  it(
    'says 503 without a local disk too, as nothing arrived that could be billed',
    async () => {
      await withoutDisk();
      store.fail = unavailable;
      expect(await record()).toEqual(UNAVAILABLE);
      store.fail = null;
      await close();
      expect(statuses()).toEqual([503]);
    },
    TIMEOUT_MS,
  );

  it(
    'gives no answer rather than a 503 that might be billed, without a local disk and after an unknown commit',
    async () => {
      await withoutDisk();
      store.fail = committing;
      await expect(record()).rejects.toThrow(OutcomeUnknownError);
      store.fail = null;
      await close();
      expect(statuses()).toEqual([503]);
    },
    TIMEOUT_MS,
  );

  const NOW = RECORD.occurred_at + 60_000;

  it('has settled what was received before now, but not before the oldest request in flight or in an outage', async () => {
    await recorderIn(folder);
    expect(recorder.getWatermark(NOW)).toBe(NOW);
    const uploading = recorder.beginArrival(RECORD.occurred_at - 1500);
    expect(recorder.getWatermark(NOW)).toBe(RECORD.occurred_at - 2000);
    const recorded = record();
    recorder.recordRejection({ ...RECORD, key_id: null, occurred_at: RECORD.occurred_at + 1 });
    uploading.end();
    expect(recorder.getWatermark(NOW)).toBe(RECORD.occurred_at);
    await recorded;
    // A rejection goes along with the next group.
    expect(recorder.getWatermark(NOW)).toBe(RECORD.occurred_at + 1);
    await record();
    expect(recorder.getWatermark(NOW)).toBe(NOW);
    await close();
  });

  it(
    'has settled nothing of an outage until it is in the store',
    async () => {
      await recorderIn(folder);
      store.fail = unavailable;
      const recorded = record();
      expect(recorder.getWatermark(NOW)).toBe(RECORD.occurred_at);
      expect(await recorded).toEqual(UNAVAILABLE);
      expect([unsettled.oldestReceivedAt, recorder.getWatermark(NOW)]).toEqual([RECORD.occurred_at, null]);
      store.fail = null;
      while (recorder.getWatermark(NOW) !== NOW) await delay(50);
      expect(statuses()).toEqual([503]);
      await close();
    },
    TIMEOUT_MS,
  );
});
