/** Bounds of a queue that several owners share. */
export interface FairQueueLimits {
  readonly maxRunning: number;
  /** Fewer than `maxRunning`, so that a call of another owner usually starts at once. */
  readonly maxRunningPerOwner: number;
  /** Calls that run or wait. */
  readonly maxCalls: number;
}

/** A call was not started: too many are queued, or it waited too long. */
export class QueueFullError extends Error {}

interface QueuedCall {
  readonly start: () => void;
  readonly reject: (reason: QueueFullError) => void;
}

interface CallOwner {
  running: number;
  readonly waiting: QueuedCall[];
}

/** Runs calls of several owners in turn, a few at a time, so that a flood of one owner delays only its own calls. */
export class FairQueue {
  /** The owner whose turn is next comes first. */
  readonly #owners = new Map<string, CallOwner>();
  #running = 0;
  #waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs a call when it is its owner's turn. @param signal ends the wait; null if nothing does @throws QueueFullError, and what the call throws */
  async run<T>(ownerId: string, signal: AbortSignal | null, call: () => Promise<T>): Promise<T> {
    await this.#acquire(ownerId, signal);
    try {
      return await call();
    } finally {
      this.#release(ownerId);
    }
  }

  #acquire(ownerId: string, signal: AbortSignal | null): Promise<void> {
    const owner = this.#owners.get(ownerId) ?? { running: 0, waiting: [] };
    if (this.#running + this.#waiting >= this.limits.maxCalls) this.#makeRoomFor(owner);
    this.#owners.set(ownerId, owner);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.#waiting -= 1;
        this.#forgetIdle(ownerId, owner);
        reject(new QueueFullError());
      };
      const stopWaiting = () => {
        signal?.removeEventListener('abort', giveUp);
        this.#waiting -= 1;
      };
      const waiting: QueuedCall = {
        start: () => {
          stopWaiting();
          resolve();
        },
        reject: (reason) => {
          stopWaiting();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', giveUp);
      owner.waiting.push(waiting);
      this.#waiting += 1;
      this.#startWaiting();
    });
  }

  #release(ownerId: string): void {
    const owner = this.#owners.get(ownerId);
    this.#running -= 1;
    if (owner !== undefined) {
      owner.running -= 1;
      this.#forgetIdle(ownerId, owner);
    }
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (;;) {
      const next = this.#running < this.limits.maxRunning ? this.#nextOwner() : undefined;
      if (next === undefined) return;
      const [ownerId, owner] = next;
      this.#owners.delete(ownerId);
      this.#owners.set(ownerId, owner);
      owner.running += 1;
      this.#running += 1;
      owner.waiting.shift()?.start();
    }
  }

  #nextOwner(): [string, CallOwner] | undefined {
    for (const entry of this.#owners) {
      const [, { running, waiting }] = entry;
      if (waiting.length > 0 && running < this.limits.maxRunningPerOwner) return entry;
    }
    return undefined;
  }

  /** Rejects the newest call of the owner with most waiting. @throws QueueFullError if that is the owner who needs room */
  #makeRoomFor(owner: CallOwner): void {
    let biggest = owner;
    for (const other of this.#owners.values()) if (other.waiting.length > biggest.waiting.length) biggest = other;
    const newest = biggest === owner ? undefined : biggest.waiting.pop();
    if (newest === undefined) throw new QueueFullError();
    newest.reject(new QueueFullError());
  }

  #forgetIdle(ownerId: string, { running, waiting }: CallOwner): void {
    if (running === 0 && waiting.length === 0) this.#owners.delete(ownerId);
  }
}
