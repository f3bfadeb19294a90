import { FairQueue, type FairQueueLimits } from './fair-queue.js';

/** Limits in units, of which a record of up to 8 KiB takes one. Each record is held twice until it is sent. More calls than requests
 * in flight, so that those that run leave room for some that wait. */
const READ_LIMITS: FairQueueLimits = { maxRunning: 12_800, maxRunningPerOwner: 3200, maxCalls: 2048 };

const UNIT_BYTES = 8 * 1024;

/** Units of a record while no answer has shown how large the records are. */
const UNKNOWN_UNITS = 8;

/** Size of an answer up to which its records count as small, in bytes. */
const SMALL_ANSWER = 1024 * 1024;

/** Time for which the largest records that were seen are expected again. */
const EXPECTED_MS = 600_000;

/** Records that count, of a request for any number: a batch of a hundred. */
const MAX_RECORDS = 100;

/** Maximum time that a request waits for its turn. */
const MAX_WAIT_MS = 5000;

/** Ends a turn. @param bytes size of the answer; 0 if it has no records */
export type EndTurn = (bytes: number) => void;

/** Size of the records of a kind. */
interface RecordSize {
  readonly units: number;
  /** Until when it is expected, by `performance.now`. */
  until: number;
}

/** Gives keys turns for requests that read many records. The size of records is known only after reading them, so it is taken from
 * earlier answers of the same kind. */
export class ReadTurns {
  readonly #queue: FairQueue;
  readonly #sizes = new Map<string, RecordSize>();

  constructor(private readonly limits = READ_LIMITS) {
    this.#queue = new FairQueue(limits);
  }

  /** Takes a turn if it is free. @param kind of records that are about as large as each other
   * @param records that the request asks for @returns what ends the turn; null if the key must wait */
  tryEnter(keyId: string, kind: string, records: number): EndTurn | null {
    const weight = this.#weightOf(kind, records);
    if (!this.#queue.tryEnter(keyId, weight)) return null;
    return (bytes) => this.#end(keyId, kind, records, weight, bytes);
  }

  /** Waits for a turn. @returns what ends the turn @throws ApiError 503 after five seconds, or if too many wait */
  async enter(keyId: string, kind: string, records: number): Promise<EndTurn> {
    const weight = this.#weightOf(kind, records);
    await this.#queue.enter(keyId, MAX_WAIT_MS, weight);
    return (bytes) => this.#end(keyId, kind, records, weight, bytes);
  }

  #end(keyId: string, kind: string, records: number, weight: number, bytes: number): void {
    if (bytes > 0) this.#learn(kind, bytes <= SMALL_ANSWER ? 1 : Math.ceil(bytes / countable(records) / UNIT_BYTES));
    this.#queue.leave(keyId, weight);
  }

  #learn(kind: string, units: number): void {
    const now = performance.now();
    const size = this.#sizes.get(kind);
    if (size === undefined || size.until < now || units > size.units) {
      this.#sizes.set(kind, { units, until: now + EXPECTED_MS });
    } else if (units === size.units) size.until = now + EXPECTED_MS;
  }

  #weightOf(kind: string, records: number): number {
    const size = this.#sizes.get(kind);
    const units = size === undefined || size.until < performance.now() ? UNKNOWN_UNITS : size.units;
    return Math.min(this.limits.maxRunningPerOwner, countable(records) * units);
  }
}

/** @param records NaN or out of range in a request that is invalid, and rejected later */
const countable = (records: number): number => Math.min(MAX_RECORDS, Math.max(1, Math.ceil(records) || 1));
