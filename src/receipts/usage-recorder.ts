import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dayNumber, type UsageGroup, type UsageRecord } from './usage-record.js';
import type { UsageStore } from './usage-store.js';

/** Buffer for rejections (records of unknown callers); when full, they are counted and dropped. */
const MAX_WAITING_REJECTIONS = 10_000;

const REJECTIONS_PER_GROUP = 500;

/** Flush delay of rejections when no valid request takes them along. */
const REJECTION_DELAY_MS = 1000;

/** How long answers wait for a failing store before they become 503. */
const PATIENCE_MS = 3000;

const RETRY_MS = 100;

const MIN_COLLECT_MS = 4;
const MAX_COLLECT_MS = 16;

/** Group commit delay: 1 ms per 8 requests in flight; 8 ms for 64 measured best. */
const collectMs = (underWay: number) => Math.min(Math.max(underWay / 8, MIN_COLLECT_MS), MAX_COLLECT_MS);

interface Batch {
  readonly records: UsageRecord[];
  /** Told whether the records are durable. */
  readonly waiting: ((durable: boolean) => void)[];
}

/** A group whose write has an unknown outcome, and what was answered in the end. */
interface Unsettled {
  readonly attempted: readonly UsageGroup[];
  readonly truth: readonly UsageGroup[];
}

/** Group commit of usage records: one write in flight while the next group collects. */
export class UsageRecorder {
  #collecting = newBatch();
  #rejections: UsageRecord[] = [];
  #unsettled: Unsettled[] = [];
  #writing: Promise<void> | null = null;
  #droppedRejections = 0;
  /** Requests in flight with a valid key, including those waiting for their record. */
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

  get droppedRejections(): number {
    return this.#droppedRejections;
  }

  /** Records a request with a valid key. @returns whether it is durable; if not, the answer must be 503 */
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

  /** Pauses a request, for example while its body uploads; `enter` resumes it. */
  leave(): void {
    this.#underWay -= 1;
  }

  /** Buffers a request without a valid key: never waits, bounded memory. */
  recordRejection(record: UsageRecord): void {
    if (this.#rejections.length < MAX_WAITING_REJECTIONS) this.#rejections.push(record);
    else if (this.#droppedRejections++ === 0)
      this.logger.warn('records of rejected requests are being dropped: too many at once');
  }

  /** Flushes. @returns when everything is durable, or has failed for a few seconds */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = Date.now() + PATIENCE_MS;
    this.#start();
    while ((this.#writing !== null || this.#hasWork()) && Date.now() < deadline) {
      if (this.#writing === null) await delay(RETRY_MS);
      this.#start();
      await this.#writing;
    }
  }

  #hasWork(): boolean {
    return this.#collecting.records.length > 0 || this.#rejections.length > 0 || this.#unsettled.length > 0;
  }

  #startSoon(): void {
    if (this.#collecting.records.length >= this.#underWay) {
      // All requests in flight wait already: a lone client has no delay.
      this.#start();
    } else if (this.#collectTimer === null) {
      const waited = performance.now() - this.#lastStartAt;
      // At least one turn of the event loop: more may come in it.
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
      // After the next write started: the store works while answers are sent.
      tell(batch, durable);
    });
  }

  async #write(batch: Batch): Promise<boolean> {
    // During an outage rejections stay in the bounded buffer.
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

  /** Writes, with retries for as long as answers can wait. */
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

/** Whether the attempt succeeded in time; if not, its outcome is unknown. */
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

/** The same group answered 503, free of charge; rejections had their answer before. */
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
