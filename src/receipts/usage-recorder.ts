import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CommitUnknownError } from '../database/database.js';
import { RateLimitedLog } from '../model/rate-limited-log.js';
import { Arrivals, type Arrival } from './arrivals.js';
import type { Unsettled } from './unsettled.js';
import { UsageHealth } from './usage-health.js';
import { dayNumber, receivedFrom, type UsageGroup, type UsageRecord } from './usage-record.js';
import type { UsageStore } from './usage-store.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';

/** Buffer for rejections (records of unknown callers); when full, they are counted and dropped. */
const MAX_WAITING_REJECTIONS = 10_000;

const REJECTIONS_PER_GROUP = 500;

/** Flush delay of rejections when no valid request takes them along. */
const REJECTION_DELAY_MS = 1000;

/** How long after a request came its record is tried to be written; then the answer becomes 503. */
const PATIENCE_MS = 3000;

/** But for so long at least: a request may have waited for reads, a slow upload or the group before its own. */
const SHORTEST_TRY_MS = 1000;

/** And for so long where the last write failed: several such groups may follow each other within a request's 5 s. */
const SHORTEST_RETRY_MS = 500;

/** Time for the store to give up by itself, so that the outcome is known. */
const GRACE_MS = 200;

const RETRY_MS = 100;

const MIN_COLLECT_MS = 4;
const MAX_COLLECT_MS = 16;

/** Group commit delay: 1 ms per 8 requests in flight; 8 ms for 64 measured best. */
const collectMs = (underWay: number) => Math.min(Math.max(underWay / 8, MIN_COLLECT_MS), MAX_COLLECT_MS);

type Verdict = 'recorded' | 'unavailable' | 'unanswerable';

interface Batch {
  readonly records: UsageRecord[];
  readonly waiting: ((isDurable: boolean | Promise<never>) => void)[];
  /** When the first of its requests came, on the clock of `performance.now()`. */
  oldestAt: number;
}

/** `refused`: nothing is in the store. `unknown`: it may be, or arrive later. */
type Outcome = 'durable' | 'refused' | 'unknown';

/** A request that may have been billed cannot be answered 503, nor 200: it gets no answer. */
export class OutcomeUnknownError extends Error {
  constructor() {
    super('neither the store nor the local disk took the record');
  }
}

/** Group commit of usage records: one write in flight while the next group collects. */
export class UsageRecorder {
  #collecting = newBatch();
  #rejections: UsageRecord[] = [];
  #writing: Promise<void> | null = null;
  #droppedRejections = 0;
  readonly #groups: Record<Verdict, number> = { recorded: 0, unavailable: 0, unanswerable: 0 };
  /** Requests in flight with a valid key, including those waiting for their record. */
  #underWay = 0;
  readonly #arrivals = new Arrivals();
  /** When the oldest request of the groups that are being written was received, ms since 1970. */
  #writingFrom = Infinity;
  #lastStartAt = 0;
  #collectTimer: NodeJS.Timeout | null = null;
  readonly #health: UsageHealth;
  readonly #log: RateLimitedLog;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: UsageStore,
    private readonly unsettled: Unsettled,
    private readonly logger: Logger,
  ) {
    this.#health = new UsageHealth(store);
    this.#log = new RateLimitedLog(logger, 'usage records could not be written');
    this.#timer = setInterval(() => this.#start(), REJECTION_DELAY_MS).unref();
  }

  get droppedRejections(): number {
    return this.#droppedRejections;
  }

  /** Groups by what became of them. */
  get groups(): Readonly<Record<Verdict, number>> {
    return this.#groups;
  }

  /** Whether records of an outage wait for the store. */
  get hasUnsettled(): boolean {
    return this.unsettled.hasAny;
  }

  get lostRecords(): number {
    return this.unsettled.lost;
  }

  /**
   * The instant before which everything that was received is in the store, in ms since 1970.
   * @returns null while an outage lasts, in which it could not be published
   */
  settledUntil(now: number): number | null {
    if (this.#health.hasFailed && this.unsettled.hasAny) return null;
    const waiting = receivedFrom([...this.#collecting.records, ...this.#rejections]);
    return Math.min(now, this.#arrivals.oldest, waiting, this.#writingFrom, this.unsettled.receivedFrom);
  }

  /** Whether a record can be made durable, as far as was seen in the last seconds. */
  canRecord(): Promise<boolean> {
    return this.#health.isGood(this.unsettled.hasAny);
  }

  /** Records a request with a valid key. @returns whether it is durable; if not, the answer must be 503
   * @throws OutcomeUnknownError if there must be no answer */
  record(record: UsageRecord): Promise<boolean> {
    return new Promise((resolve) => {
      const batch = this.#collecting;
      batch.records.push(record);
      batch.waiting.push(resolve);
      batch.oldestAt = Math.min(batch.oldestAt, performance.now() - record.duration_ms);
      if (this.#writing === null) this.#startSoon();
    });
  }

  /** Counts a request that may be recorded, from its first guard on. @returns what ends where its record is handed over */
  arrive(receivedAt: number): Arrival {
    return this.#arrivals.begin(receivedAt);
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

  /** Flushes. What the store does not take in a few seconds is left to `Unsettled`. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = performance.now() + PATIENCE_MS;
    this.#start();
    while ((this.#writing !== null || this.#hasWork()) && performance.now() < deadline) {
      if (this.#writing === null) await delay(RETRY_MS);
      this.#start();
      await this.#writing;
    }
    const rejections = groupByDay(this.#rejections.splice(0));
    if (rejections.length > 0) await this.unsettled.add(rejections, false);
  }

  #hasWork(): boolean {
    return this.#collecting.records.length > 0 || this.#rejections.length > 0 || this.unsettled.hasAny;
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
    this.#writing = this.#write(batch).then((verdict) => {
      this.#writing = null;
      this.#writingFrom = Infinity;
      if (batch.records.length > 0) this.#groups[verdict] += 1;
      if (this.#collecting.records.length > 0) this.#startSoon();
      else if (this.unsettled.hasAny && !this.#health.hasFailed) this.#start();
      // After the next write started: the store works while answers are sent.
      tell(batch, verdict);
    });
  }

  async #write(batch: Batch): Promise<Verdict> {
    // During an outage rejections stay in the bounded buffer.
    const rejections = this.unsettled.hasAny ? [] : this.#rejections.splice(0, REJECTIONS_PER_GROUP);
    const groups = groupByDay([...batch.records, ...rejections]);
    this.#writingFrom = receivedFrom(groups.flatMap(({ records }) => records.slice(0, 1)));
    const outcome = await this.#persist(groups, Math.min(batch.oldestAt, performance.now()) + PATIENCE_MS);
    this.#underWay -= batch.records.length;
    if (outcome !== 'durable') {
      // Durable before the 503 is sent, under the same IDs: whatever becomes of the attempt, this is what stays.
      const survives = await this.unsettled.add(groups.map(answeredUnavailable), outcome === 'unknown');
      return survives || outcome === 'refused' ? 'unavailable' : 'unanswerable';
    }
    if (this.unsettled.hasAny) {
      // One between two groups: waiting requests come first.
      tell(batch, 'recorded');
      await this.#settleOldest();
    }
    return 'recorded';
  }

  /** Writes, with retries for as long as answers can wait. */
  async #persist(groups: readonly UsageGroup[], deadline: number): Promise<Outcome> {
    if (groups.length === 0) return 'durable';
    const shortest = this.#health.hasFailed ? SHORTEST_RETRY_MS : SHORTEST_TRY_MS;
    const end = Math.max(deadline, performance.now() + shortest);
    let outcome: Outcome = 'refused';
    for (let write = this.store.write.bind(this.store); ; write = this.store.settle.bind(this.store)) {
      const left = end - performance.now();
      try {
        if ((await withTimeout(write(groups, left), left + GRACE_MS, TIMED_OUT)) !== TIMED_OUT) {
          this.#health.succeeded();
          return 'durable';
        }
        outcome = 'unknown';
        this.#log.warn({ err: new Error('the store hangs') });
      } catch (error) {
        if (error instanceof CommitUnknownError) outcome = 'unknown';
        this.#log.warn({ err: error });
      }
      this.#health.failed();
      if (performance.now() + 2 * RETRY_MS > end) return outcome;
      await delay(RETRY_MS);
    }
  }

  async #settleOldest(): Promise<void> {
    try {
      const groups = await this.unsettled.oldest();
      if (groups === null) return;
      const outcome = await withTimeout(
        this.store.settle(groups, SHORTEST_TRY_MS),
        SHORTEST_TRY_MS + GRACE_MS,
        TIMED_OUT,
      );
      if (outcome === TIMED_OUT) throw new Error('the store hangs');
      await this.unsettled.takeOff();
      this.#health.succeeded();
    } catch (error) {
      this.#health.failed();
      this.#log.warn({ err: error });
    }
  }
}

const newBatch = (): Batch => ({ records: [], waiting: [], oldestAt: Infinity });

function tell(batch: Batch, verdict: Verdict): void {
  for (const resolve of batch.waiting) {
    resolve(verdict === 'unanswerable' ? Promise.reject(new OutcomeUnknownError()) : verdict === 'recorded');
  }
}

/** The same group answered 503, free of charge; rejections had their answer before. */
const answeredUnavailable = (group: UsageGroup): UsageGroup => ({
  ...group,
  records: group.records.map((record) =>
    record.key_id === null ? record : { ...record, status: 503, quota_units: 0, credits: 0, items_returned: 0 },
  ),
});

/** Groups of records by their UTC day. */
export function groupByDay(records: readonly UsageRecord[]): UsageGroup[] {
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
