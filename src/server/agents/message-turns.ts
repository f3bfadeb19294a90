import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { clientClosed } from '../../http/errors/api-error.js';
import { FairQueue, type FairQueueLimits } from '../../http/traffic/fair-queue.js';

const LIMITS: FairQueueLimits = { maxRunning: 1, maxRunningPerOwner: 1, maxCalls: 256 };

/** Time for other requests after each message, which holds the event loop for some milliseconds. Node.js accepts one
 * connection in each turn of the loop, so one turn would not be enough. */
const REST_MS = 5;

/** Starts messages one after another, by the turns of their keys, with time for other requests between two of them. */
export class MessageTurns {
  readonly #queue = new FairQueue(LIMITS);

  /** Waits for the key's turn. @param left ends the wait, because the client is gone
   * @throws ApiError 503 if too many messages wait, 499 without a client */
  async wait(keyId: string, left: AbortSignal): Promise<void> {
    try {
      await this.#queue.enter(keyId, left);
    } catch (error) {
      throw left.aborted ? clientClosed() : error;
    }
    void this.#rest(keyId);
  }

  async #rest(keyId: string): Promise<void> {
    // The message is handled in this turn of the event loop.
    await nextTurn();
    await delay(REST_MS);
    this.#queue.leave(keyId);
  }
}
