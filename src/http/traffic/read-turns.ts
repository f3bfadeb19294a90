import { overloaded } from '../errors/api-error.js';
import { FairQueue, QueueFullError, type FairQueueLimits } from './fair-queue.js';

/** Records that requests read at a time. A record may have a mebibyte and a half, and is held twice until it is sent, so more would take
 * too much memory, and delay what other keys ask for. */
export const READ_LIMITS: FairQueueLimits = { maxRunning: 1600, maxRunningPerOwner: 400, maxCalls: 512 };

/** Maximum weight of a request: a batch of a hundred. */
const MAX_RECORDS = 100;

/** Maximum time that a request waits for its turn. */
const MAX_WAIT_MS = 5000;

/** Gives keys turns for requests that read many records. */
export class ReadTurns {
  readonly #queue: FairQueue;

  constructor(limits = READ_LIMITS) {
    this.#queue = new FairQueue(limits);
  }

  /** Takes a turn if it is free. @param records that the request asks for
   * @returns what ends the turn; null if the key must wait */
  tryEnter(keyId: string, records: number): (() => void) | null {
    const weight = weightOf(records);
    if (!this.#queue.hasRoomFor(keyId, weight)) return null;
    void this.#queue.enter(keyId, null, weight);
    return () => this.#queue.leave(keyId, weight);
  }

  /** Waits for a turn. @returns what ends the turn @throws ApiError 503 after five seconds, or if too many wait */
  async enter(keyId: string, records: number): Promise<() => void> {
    const weight = weightOf(records);
    try {
      await this.#queue.enter(keyId, AbortSignal.timeout(MAX_WAIT_MS), weight);
    } catch (error) {
      if (error instanceof QueueFullError) throw overloaded();
      throw error;
    }
    return () => this.#queue.leave(keyId, weight);
  }
}

/** @param records NaN or out of range in a request that is invalid, and rejected later */
const weightOf = (records: number): number => Math.min(MAX_RECORDS, Math.max(1, Math.ceil(records) || 1));
