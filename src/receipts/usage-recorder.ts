import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { CommitUnknownError } from '../database/database.js';
import { AllowanceWarnings } from './allowance-warnings.js';
import type { RecordAllowance, RecordAllowances } from './allowances.js';
import { Arrivals, type ArrivalSecond } from './arrivals.js';
import { NOTHING_CHECKED, type WriteResult } from './allowance-writer.js';
import { asUnavailable, RecordBatch, type Recording, type Verdict } from './record-batch.js';
import type { UnsettledRecords } from './unsettled-records.js';
import { storeHangs, UsageHealth } from './usage-health.js';
import { countRecords, findOldestReceivedAt, groupByDay, type UsageGroup, type UsageRecord } from './usage-record.js';
import type { UsageStore } from './usage-store.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';

/** Maximum buffered rejections (records of requests without a valid key); more are counted and dropped. */
const MAX_WAITING_REJECTIONS = 10_000;

const REJECTIONS_PER_GROUP = 500;

/** Maximum delay of rejections while no group commit includes them. */
const REJECTION_DELAY_MS = 1000;

/** Time after a request's arrival at which its record must be written; otherwise it is answered 503. */
const RECORD_DEADLINE_MS = 3000;

/** Minimum time for a write, because a request may have waited for reads, a slow upload or the previous group. */
const MIN_WRITE_MS = 1000;

/** Minimum time for a write after a failed one. Shorter, because a request may wait for several such groups within 5 s. */
const MIN_WRITE_AFTER_FAILURE_MS = 500;

/** Extra time for the store's own timeout, after which the outcome is known. */
const GRACE_MS = 200;

const RETRY_MS = 100;

const MIN_GROUP_DELAY_MS = 4;
const MAX_GROUP_DELAY_MS = 16;

/** Returns the delay of a group commit: 1 ms per 8 expected records. At 64, 8 ms was fastest. */
const groupDelayMs = (expected: number) => Math.min(Math.max(expected / 8, MIN_GROUP_DELAY_MS), MAX_GROUP_DELAY_MS);

/** Result of a write. `failed`: nothing was committed. `unknown`: it may be committed, now or later. */
type WriteOutcome = WriteResult | 'failed' | 'unknown';

/** Writes usage records by group commit: while one group is written, the next one collects. */
export class UsageRecorder {
  #collecting = new RecordBatch();
  #rejections: UsageRecord[] = [];
  #writing: Promise<void> | null = null;
  #droppedRejections = 0;
  readonly #groups: Record<Verdict, number> = { recorded: 0, unavailable: 0, unanswerable: 0 };
  /** Requests with a valid key whose record is expected soon: neither uploading nor recorded. */
  #expectedRecords = 0;
  readonly #arrivals = new Arrivals();
  /** When the oldest request was received in the groups that are being written, in ms since 1970. */
  #writingOldestAt = Infinity;
  #lastStartAt = 0;
  /** Records settled in the current outage. */
  #settledRecords = 0;
  #collectTimer: NodeJS.Timeout | null = null;
  readonly #health: UsageHealth;
  readonly #warnings: AllowanceWarnings;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: UsageStore,
    private readonly unsettled: UnsettledRecords,
    private readonly logger: Logger,
  ) {
    this.#health = new UsageHealth(store, () => unsettled.count, logger);
    this.#warnings = new AllowanceWarnings(store, logger);
    this.#timer = setInterval(() => {
      this.#start();
      // A failed probe leaves nothing to retry, so only another one notices that the store is back.
      if (this.#writing === null && this.#health.hasFailed) void this.canRecord();
    }, REJECTION_DELAY_MS).unref();
  }

  get droppedRejections(): number {
    return this.#droppedRejections;
  }

  /** Number of groups by verdict. */
  get groups(): Readonly<Record<Verdict, number>> {
    return this.#groups;
  }

  get hasUnsettled(): boolean {
    return this.unsettled.hasAny;
  }

  get lostRecords(): number {
    return this.unsettled.lostRecords;
  }

  /** Returns the watermark: the instant before which all received requests are recorded, in ms since 1970. Null during an
   * outage, when it could not be published. */
  getWatermark(now: number): number | null {
    if (this.#health.hasFailed && this.unsettled.hasAny) return null;
    const waiting = findOldestReceivedAt([...this.#collecting.records, ...this.#rejections]);
    return Math.min(
      now,
      this.#arrivals.oldestReceivedAt,
      waiting,
      this.#writingOldestAt,
      this.unsettled.oldestReceivedAt,
    );
  }

  /** Returns whether the store could take a record in the last seconds. */
  canRecord(): Promise<boolean> {
    return this.#health.canWrite(this.unsettled.hasAny);
  }

  /** Records a request with a valid key. @param allowance the key's month allowances; null for none
   * @throws OutcomeUnknownError if the request must get no answer */
  record(record: UsageRecord, allowance: RecordAllowance | null): Promise<Recording> {
    const recording = this.#collecting.add(record, allowance);
    if (this.#writing === null) this.#startSoon();
    return recording;
  }

  /** Counts a request that may be recorded. End the result once its record was passed on, or none is due. */
  beginArrival(receivedAt: number): ArrivalSecond {
    return this.#arrivals.begin(receivedAt);
  }

  /** Counts a request with a valid key whose record is expected soon, until `record` has written it. */
  beginExpected(): void {
    this.#expectedRecords += 1;
  }

  /** Stops counting a request, for example while its body uploads; `beginExpected` counts it again. */
  endExpected(): void {
    this.#expectedRecords -= 1;
  }

  /** Buffers the record of a request without a valid key. Never waits, and drops the record if the buffer is full. */
  recordRejection(record: UsageRecord): void {
    if (this.#rejections.length < MAX_WAITING_REJECTIONS) this.#rejections.push(record);
    else if (this.#droppedRejections++ === 0)
      this.logger.warn('records of rejected requests are dropped: the buffer is full');
  }

  /** Flushes. Passes the records that the store does not take within a few seconds to `UnsettledRecords`. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const deadline = performance.now() + RECORD_DEADLINE_MS;
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
    if (this.#collecting.records.length >= this.#expectedRecords) {
      // All requests in flight are waiting, so that more delay would gain nothing.
      this.#start();
    } else if (this.#collectTimer === null) {
      const waited = performance.now() - this.#lastStartAt;
      // At least one turn of the event loop, in which more records may come.
      this.#collectTimer = setTimeout(() => this.#start(), Math.max(0, groupDelayMs(this.#expectedRecords) - waited));
    }
  }

  #start(): void {
    if (this.#collectTimer !== null) clearTimeout(this.#collectTimer);
    this.#collectTimer = null;
    if (this.#writing !== null || !this.#hasWork()) return;
    this.#lastStartAt = performance.now();
    const batch = this.#collecting;
    this.#collecting = new RecordBatch();
    this.#writing = this.#write(batch).then(({ verdict, result }) => {
      this.#writing = null;
      this.#writingOldestAt = Infinity;
      if (batch.records.length > 0) this.#groups[verdict] += 1;
      if (this.#collecting.records.length > 0) this.#startSoon();
      else if (this.unsettled.hasAny && !this.#health.hasFailed) this.#start();
      // After the next write has started, so that the store works while responses are sent.
      batch.resolve(verdict, result.byRecord);
      this.#warnings.warn(result.reached);
    });
  }

  async #write(batch: RecordBatch): Promise<{ verdict: Verdict; result: WriteResult }> {
    // During an outage rejections stay in the bounded buffer.
    const rejections = this.unsettled.hasAny ? [] : this.#rejections.splice(0, REJECTIONS_PER_GROUP);
    const groups = groupByDay([...batch.records, ...rejections]);
    this.#writingOldestAt = findOldestReceivedAt(groups.flatMap(({ records }) => records.slice(0, 1)));
    const deadline = Math.min(batch.oldestAt, performance.now()) + RECORD_DEADLINE_MS;
    const outcome = await this.#persist(groups, deadline, batch.allowances);
    this.#expectedRecords -= batch.records.length;
    if (outcome === 'failed' || outcome === 'unknown') {
      // Under the same IDs, and durable before the 503 is sent, so that settling replaces the attempt if it is committed.
      const survives = await this.unsettled.add(groups.map(asUnavailable), outcome === 'unknown');
      const verdict = survives || outcome === 'failed' ? 'unavailable' : 'unanswerable';
      return { verdict, result: NOTHING_CHECKED };
    }
    if (this.unsettled.hasAny) {
      // Answer first, then settle one entry between two groups.
      batch.resolve('recorded', outcome.byRecord);
      await this.#settleOldest();
    }
    return { verdict: 'recorded', result: outcome };
  }

  /** Writes groups, and retries until the deadline. */
  async #persist(
    groups: readonly UsageGroup[],
    deadline: number,
    allowances: RecordAllowances | null,
  ): Promise<WriteOutcome> {
    if (groups.length === 0) return NOTHING_CHECKED;
    const shortest = this.#health.hasFailed ? MIN_WRITE_AFTER_FAILURE_MS : MIN_WRITE_MS;
    const end = Math.max(deadline, performance.now() + shortest);
    let outcome: 'failed' | 'unknown' = 'failed';
    for (let write = this.store.write.bind(this.store); ; write = this.store.settle.bind(this.store)) {
      const left = end - performance.now();
      try {
        const result = await withTimeout(write(groups, left, allowances), left + GRACE_MS, TIMED_OUT);
        if (result !== TIMED_OUT) {
          this.#health.recordSuccess();
          return result;
        }
        outcome = 'unknown';
        this.#health.recordFailure(storeHangs());
      } catch (error) {
        if (error instanceof CommitUnknownError) outcome = 'unknown';
        this.#health.recordFailure(error);
      }
      if (performance.now() + 2 * RETRY_MS > end) return outcome;
      await delay(RETRY_MS);
    }
  }

  async #settleOldest(): Promise<void> {
    try {
      const groups = await this.unsettled.readOldest();
      if (groups !== null) await this.#settle(groups);
      if (this.#settledRecords === 0 || this.unsettled.hasAny) return;
      this.logger.info({ records: this.#settledRecords }, 'usage records of an outage are settled');
      this.#settledRecords = 0;
    } catch (error) {
      this.#health.recordFailure(error);
    }
  }

  async #settle(groups: readonly UsageGroup[]): Promise<void> {
    const outcome = await withTimeout(this.store.settle(groups, MIN_WRITE_MS), MIN_WRITE_MS + GRACE_MS, TIMED_OUT);
    if (outcome === TIMED_OUT) throw storeHangs();
    this.#health.recordSuccess();
    await this.unsettled.removeOldest();
    this.#settledRecords += countRecords(groups);
  }
}
