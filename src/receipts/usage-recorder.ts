import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dayNumber, type UsageGroup, type UsageRecord } from './usage-record.js';
import type { UsageStore } from './usage-store.js';

/** Records of unknown callers that wait to be written; beyond, they are counted and dropped. */
const MAX_WAITING_REJECTIONS = 10_000;

/** Of these, how many one group takes along. */
const REJECTIONS_PER_GROUP = 500;

/** How long rejections wait when no valid request takes them along. */
const REJECTION_DELAY_MS = 1000;

/** How long answers wait for a store that fails, before they become 503. */
const PATIENCE_MS = 3000;

const RETRY_MS = 100;

const MIN_COLLECT_MS = 4;
const MAX_COLLECT_MS = 16;

/**
 * Commit delay: 1 ms for each 8 requests in flight, 4 to 16 ms; 8 ms for 64 was measured best. Skipped when every request in
 * flight waits for the group, so a lone client never waits.
 */
const collectMs = (underWay: number) => Math.min(Math.max(underWay / 8, MIN_COLLECT_MS), MAX_COLLECT_MS);

interface Batch {
  readonly records: UsageRecord[];
  /** Whoever waits for a record; told whether it is durable. */
  readonly waiting: ((durable: boolean) => void)[];
}

/** A group whose outcome the store did not tell, and what was answered in the end. */
interface Unsettled {
  readonly attempted: readonly UsageGroup[];
  readonly truth: readonly UsageGroup[];
}

/** Makes usage records durable by group commit: one write in flight, the next group collecting meanwhile. */
export class UsageRecorder {
  #collecting = newBatch();
  #rejections: UsageRecord[] = [];
  #unsettled: Unsettled[] = [];
  #writing: Promise<void> | null = null;
  #droppedRejections = 0;
  /** Requests with a valid key that are under way, those that wait for their record included. */
  #underWay = 0;
  #lastStartAt = 0;
  #collectTimer: NodeJS.Timeout | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: UsageStore,
    private readonly logger: Logger,
  ) {
    this.#timer = setInterval(() => this.#start(), REJECTION_DELAY_MS).unref();
  }

  /** Rejections of unknown callers that found the buffer full. */
  get droppedRejections(): number {
    return this.#droppedRejections;
  }

  /**
   * Records a request with a valid key.
   * @returns true once the record is durable; false if it could not be made so: then the answer must be 503
   */
  record(record: UsageRecord): Promise<boolean> {
    return new Promise((resolve) => {
      this.#collecting.records.push(record);
      this.#collecting.waiting.push(resolve);
      if (this.#writing === null) this.#startSoon();
    });
  }

  /** A request with a valid key is under way; `record` ends it. */
  enter(): void {
    this.#underWay += 1;
  }

  /** Stop waiting for a request, for example while its body is uploading; `enter` tells when it goes on. */
  leave(): void {
    this.#underWay -= 1;
  }

  /** Records a request without a valid key, some time soon: these never wait and never fill the memory. */
  recordRejection(record: UsageRecord): void {
    if (this.#rejections.length < MAX_WAITING_REJECTIONS) this.#rejections.push(record);
    else if (this.#droppedRejections++ === 0)
      this.logger.warn('records of rejected requests are being dropped: too many at once');
  }

  /** Writes what is left. @returns when everything is durable, or could not be made so in a few seconds */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = Date.now() + PATIENCE_MS;
    this.#start();
    while ((this.#writing !== null || this.#hasWork()) && Date.now() < deadline) {
      if (this.#writing === null) await delay(RETRY_MS);
      this.#start();
      await this.#writing;
    }
    await this.store.close();
  }

  #hasWork(): boolean {
    return this.#collecting.records.length > 0 || this.#rejections.length > 0 || this.#unsettled.length > 0;
  }

  #startSoon(): void {
    if (this.#collecting.records.length >= this.#underWay) {
      this.#start();
    } else if (this.#collectTimer === null) {
      const waited = performance.now() - this.#lastStartAt;
      // At least until the end of this turn of the event loop: more may come in it.
      this.#collectTimer = setTimeout(() => this.#start(), Math.max(0, collectMs(this.#underWay) - waited));
    }
  }

  #start(): void {
    if (this.#collectTimer !== null) clearTimeout(this.#collectTimer);
    this.#collectTimer = null;
    if (this.#writing !== null || !this.#hasWork()) return;
    this.#lastStartAt = performance.now();
    const batch = this.#collecting;
    this.#collecting = newBatch();
    this.#writing = this.#write(batch).then((durable) => {
      this.#writing = null;
      if (this.#collecting.records.length > 0) this.#startSoon();
      // After starting the next write, so that the store works while answers are sent.
      tell(batch, durable);
    });
  }

  async #write(batch: Batch): Promise<boolean> {
    // During an outage rejections stay in their bounded buffer.
    const rejections = this.#unsettled.length === 0 ? this.#rejections.splice(0, REJECTIONS_PER_GROUP) : [];
    const groups = groupByDay([...batch.records, ...rejections]);
    const durable = await this.#persist(groups);
    // Same IDs: if the attempt still arrives, it fails on a duplicate key.
    if (!durable) this.#unsettled.push({ attempted: groups, truth: groups.map(answeredUnavailable) });
    this.#underWay -= batch.records.length;
    if (durable && this.#unsettled.length > 0) {
      // One between two groups: waiting requests come first.
      tell(batch, durable);
      await this.#settleOldest();
    }
    return durable;
  }

  /** Writes, and after a failure tries again for as long as the answers can wait. */
  async #persist(groups: readonly UsageGroup[]): Promise<boolean> {
    if (groups.length === 0) return true;
    const deadline = Date.now() + PATIENCE_MS;
    let attempt = this.store.write(groups);
    for (;;) {
      try {
        return await within(attempt, deadline - Date.now());
      } catch (error) {
        this.logger.warn({ err: error }, 'usage records could not be written');
      }
      if (Date.now() + RETRY_MS >= deadline) return false;
      await delay(RETRY_MS);
      attempt = this.store.settle(groups, groups);
    }
  }

  async #settleOldest(): Promise<void> {
    const [oldest] = this.#unsettled;
    if (oldest === undefined) return;
    try {
      await this.store.settle(oldest.attempted, oldest.truth);
      this.#unsettled.shift();
    } catch (error) {
      this.logger.warn({ err: error }, 'usage records of an outage could not be written yet');
    }
  }
}

/** @returns true once the attempt has succeeded, false if it takes longer; its outcome is then unknown */
async function within(attempt: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  const done = attempt.then(() => true);
  // If it loses the race, nobody else handles its rejection.
  done.catch(() => undefined);
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

const newBatch = (): Batch => ({ records: [], waiting: [] });

function tell(batch: Batch, durable: boolean): void {
  for (const resolve of batch.waiting) resolve(durable);
}

/** What the holders of keys were told instead: 503, free of charge. Rejections had been answered before. */
const answeredUnavailable = (group: UsageGroup): UsageGroup => ({
  ...group,
  records: group.records.map((record) =>
    record.key_id === null ? record : { ...record, status: 503, quota_units: 0, credits: 0, items_returned: 0 },
  ),
});

function groupByDay(records: readonly UsageRecord[]): UsageGroup[] {
  const days = new Map<number, UsageRecord[]>();
  for (const record of records) {
    const day = dayNumber(record.occurred_at);
    const sameDay = days.get(day);
    if (sameDay === undefined) days.set(day, [record]);
    else sameDay.push(record);
  }
  return Array.from(days, ([day, sameDay]) => ({
    id: randomUUID(),
    day,
    records: sameDay.sort((a, b) => a.occurred_at - b.occurred_at),
  }));
}
