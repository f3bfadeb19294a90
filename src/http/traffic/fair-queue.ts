import { ApiError, overloaded } from '../errors/api-error.js';

/** Bounds of a queue that several owners share. */
export interface FairQueueLimits {
  /** Weight of the calls that run at a time. */
  readonly maxRunning: number;
  /** Fewer than `maxRunning`, so that a call of another owner usually starts at once. */
  readonly maxRunningPerOwner: number;
  /** Calls that run or wait. */
  readonly maxCalls: number;
}

/** A call was not started: too many are queued, or it waited too long. As an answer, it is the 503 of overload. */
export class QueueFullError extends ApiError {
  constructor() {
    const { code, message, headers } = overloaded();
    super(code, message, { headers });
  }
}

interface QueuedCall {
  readonly weight: number;
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
  /** Weight of the calls that run. */
  #running = 0;
  /** Calls that run or wait. */
  #calls = 0;
  /** Whether the call whose turn it is waits for room that smaller ones must not take. */
  #isReserved = false;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Runs a call when it is its owner's turn. @param signal ends the wait; null if nothing does @throws QueueFullError, and what the call throws */
  async run<T>(ownerId: string, signal: AbortSignal | null, call: () => Promise<T>): Promise<T> {
    await this.enter(ownerId, signal);
    try {
      return await call();
    } finally {
      this.leave(ownerId);
    }
  }

  /** Starts a call if it need not wait. It needs a `leave` with the same weight. @returns whether it started */
  tryEnter(ownerId: string, weight: number): boolean {
    const owner = this.#owners.get(ownerId) ?? { running: 0, waiting: [] };
    if (this.#isReserved || owner.waiting.length > 0 || this.#calls >= this.limits.maxCalls) return false;
    if (!this.#fitsOwner(owner.running, weight) || !this.#fits(weight)) return false;
    this.#calls += 1;
    this.#start(ownerId, owner, weight);
    return true;
  }

  /** Waits for its owner's turn. Each entry needs a `leave` with the same weight.
   * @param end of the wait: a signal, a time limit in milliseconds, or null for none @param weight at most `maxRunningPerOwner`
   * @throws QueueFullError */
  async enter(ownerId: string, end: AbortSignal | number | null, weight = 1): Promise<void> {
    if (this.tryEnter(ownerId, weight)) return;
    const owner = this.#owners.get(ownerId) ?? { running: 0, waiting: [] };
    if (this.#calls >= this.limits.maxCalls) this.#makeRoomFor(owner);
    this.#owners.set(ownerId, owner);
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.#calls -= 1;
        this.#forgetIdle(ownerId, owner);
        reject(new QueueFullError());
        // It may have kept room from others.
        this.#startWaiting();
      };
      const stopWaiting = onEnd(end, giveUp);
      const waiting: QueuedCall = {
        weight,
        start: () => {
          stopWaiting();
          resolve();
        },
        reject: (reason) => {
          stopWaiting();
          this.#calls -= 1;
          reject(reason);
        },
      };
      owner.waiting.push(waiting);
      this.#calls += 1;
      this.#startWaiting();
    });
  }

  leave(ownerId: string, weight = 1): void {
    const owner = this.#owners.get(ownerId);
    this.#running -= weight;
    this.#calls -= 1;
    if (owner !== undefined) {
      owner.running -= weight;
      this.#forgetIdle(ownerId, owner);
    }
    this.#startWaiting();
  }

  #startWaiting(): void {
    for (;;) {
      const next = this.#nextOwner();
      if (next === undefined) return;
      const [ownerId, owner] = next;
      const call = owner.waiting.shift() as QueuedCall;
      this.#start(ownerId, owner, call.weight);
      call.start();
    }
  }

  /** Counts a call as running, and gives its owner the last turn. */
  #start(ownerId: string, owner: CallOwner, weight: number): void {
    this.#owners.delete(ownerId);
    this.#owners.set(ownerId, owner);
    owner.running += weight;
    this.#running += weight;
  }

  #nextOwner(): [string, CallOwner] | undefined {
    this.#isReserved = false;
    for (const entry of this.#owners) {
      const [, { running, waiting }] = entry;
      if (waiting[0] === undefined || !this.#fitsOwner(running, waiting[0].weight)) continue;
      if (this.#fits(waiting[0].weight)) return entry;
      this.#isReserved = true;
      return undefined;
    }
    return undefined;
  }

  #fits(weight: number): boolean {
    return this.#running + weight <= this.limits.maxRunning;
  }

  #fitsOwner(running: number, weight: number): boolean {
    return running + weight <= this.limits.maxRunningPerOwner;
  }

  /** Rejects the newest call of the owner with most waiting. @throws QueueFullError if that is the owner who needs room */
  #makeRoomFor(owner: CallOwner): void {
    let [biggestId, biggest] = ['', owner];
    for (const [id, other] of this.#owners) {
      if (other.waiting.length > biggest.waiting.length) [biggestId, biggest] = [id, other];
    }
    const newest = biggest === owner ? undefined : biggest.waiting.pop();
    if (newest === undefined) throw new QueueFullError();
    this.#forgetIdle(biggestId, biggest);
    newest.reject(new QueueFullError());
  }

  #forgetIdle(ownerId: string, { running, waiting }: CallOwner): void {
    if (running === 0 && waiting.length === 0) this.#owners.delete(ownerId);
  }
}

/** Calls back at the end of a wait. A timer costs a fraction of `AbortSignal.timeout`. @returns what prevents the call */
function onEnd(end: AbortSignal | number | null, call: () => void): () => void {
  if (typeof end === 'number') {
    const timer = setTimeout(call, end).unref();
    return () => clearTimeout(timer);
  }
  end?.addEventListener('abort', call);
  return () => end?.removeEventListener('abort', call);
}
