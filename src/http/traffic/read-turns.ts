import { overloaded } from '../errors/api-error.js';
import { FairQueue, QueueFullError, type FairQueueLimits } from './fair-queue.js';

/** Limits in records that requests read at a time. Each record is held twice until it is sent. */
export interface ReadLimits {
  /** While no answer had large records. */
  readonly small: FairQueueLimits;
  /** Once one had: the store has records that, many at a time, take too much memory and delay what other keys ask for. */
  readonly large: FairQueueLimits;
}

const READ_LIMITS: ReadLimits = {
  small: { maxRunning: 12_800, maxRunningPerOwner: 3200, maxCalls: 1024 },
  large: { maxRunning: 1600, maxRunningPerOwner: 400, maxCalls: 512 },
};

/** Size of an answer, and of its records on average, above which its records are large, in bytes. */
const LARGE_ANSWER = 4 * 1024 * 1024;
const LARGE_RECORD = 32 * 1024;

/** Maximum weight of a request: a batch of a hundred. */
const MAX_RECORDS = 100;

/** Maximum time that a request waits for its turn. */
const MAX_WAIT_MS = 5000;

/** Ends a turn. @param bytes size of the answer */
export type EndTurn = (bytes: number) => void;

/** Gives keys turns for requests that read many records. */
export class ReadTurns {
  readonly #queue: FairQueue;

  constructor(private readonly limits = READ_LIMITS) {
    this.#queue = new FairQueue(limits.small);
  }

  /** Takes a turn if it is free. @param records that the request asks for
   * @returns what ends the turn; null if the key must wait */
  tryEnter(keyId: string, records: number): EndTurn | null {
    const weight = weightOf(records);
    if (!this.#queue.hasRoomFor(keyId, weight)) return null;
    void this.#queue.enter(keyId, null, weight);
    return (bytes) => this.#end(keyId, weight, bytes);
  }

  /** Waits for a turn. @returns what ends the turn @throws ApiError 503 after five seconds, or if too many wait */
  async enter(keyId: string, records: number): Promise<EndTurn> {
    const weight = weightOf(records);
    try {
      await this.#queue.enter(keyId, AbortSignal.timeout(MAX_WAIT_MS), weight);
    } catch (error) {
      if (error instanceof QueueFullError) throw overloaded();
      throw error;
    }
    return (bytes) => this.#end(keyId, weight, bytes);
  }

  #end(keyId: string, weight: number, bytes: number): void {
    if (bytes > LARGE_ANSWER && bytes > weight * LARGE_RECORD) this.#queue.limits = this.limits.large;
    this.#queue.leave(keyId, weight);
  }
}

/** @param records NaN or out of range in a request that is invalid, and rejected later */
const weightOf = (records: number): number => Math.min(MAX_RECORDS, Math.max(1, Math.ceil(records) || 1));
