import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Writer } from '../../database/database.js';
import { EnrichmentRunEntity } from '../../features/analysis/enrichment.entities.js';
import { OperatorError } from '../operator-error.js';
import { addTokens, costOf, sumTokens, type Prices, type Tokens } from './cost.js';
import {
  createReservation,
  fitsRunLimits,
  release,
  reserve,
  spend,
  type BatchState,
  type Limits,
  type SpendReservation,
  type CountedOutcome,
  type RunState,
} from './run-state.js';
import { adoptRun, findUnfinishedRun, lockRunState, newRun, requireRoomForBatches, runRow } from './stored-runs.js';
import { storeResults, type CreatorResult } from './store-results.js';

const HEARTBEAT_MS = 15_000;

/** Attempts of a transaction, and the pause between them. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 1000;

export interface LedgerOptions {
  readonly model: string;
  readonly prices: Prices | null;
  readonly limits: Limits;
}

/** A reservation or settlement that waits for its transaction. */
interface Operation {
  readonly result: CreatorResult | null;
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Ledger of a run: what it has reserved and spent. A call is made only when its reservation is durable, and its result is stored in the
 * transaction that settles it, so that a kill at any time loses neither money nor an answer that was paid for. Operations that wait
 * for a transaction share the next one.
 */
export class Ledger {
  #queue: Operation[] = [];
  #isFlushing = false;
  #changed = withResolvers();
  #inFlight = 0;
  #endedAt = 0;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(
    private readonly database: Database,
    private readonly id: string,
    /** When the run started, in milliseconds since 1970. A run that continues another one keeps its start. */
    readonly startedAt: number,
    private readonly state: RunState,
    private readonly prices: Prices | null,
    /** Whether the run continues one that was killed or stopped. */
    readonly isResumed: boolean,
  ) {
    // An error shows in the next operation.
    this.#heartbeat = setInterval(() => void this.#enqueue(null).catch(() => undefined), HEARTBEAT_MS).unref();
  }

  /** Starts a run, or continues one that did not end: its spending counts against the limits.
   * @throws OperatorError if another process is running one */
  static async open(database: Database, options: LedgerOptions): Promise<Ledger> {
    const owner = randomBytes(8).toString('hex');
    const { id, startedAt, state, isResumed } = await database.write(async (writer) => {
      // Of two commands that start together, the second one sees the run of the first.
      await writer.lockData();
      const unfinished = await findUnfinishedRun(writer);
      const run = unfinished === null ? newRun() : adoptRun(unfinished, options.prices);
      const own = { host: hostname(), pid: process.pid, owner, alive_at: Date.now(), model: options.model };
      const limits = { max_cost: options.limits.cost, max_tokens: options.limits.tokens };
      const owned = { ...run.state, ...own, ...limits };
      requireRoomForBatches(owned);
      await writer.upsert(EnrichmentRunEntity, [runRow(run.id, run.startedAt, 0, owned)]);
      return { ...run, state: owned, isResumed: unfinished !== null };
    });
    return new Ledger(database, id, startedAt, state, options.prices, isResumed);
  }

  get spent(): { readonly tokens: Tokens; readonly cost: number } {
    return { tokens: this.state.spent, cost: this.state.spent_cost };
  }

  get counts(): Readonly<Record<string, number>> {
    return this.state.counts;
  }

  get batches(): readonly BatchState[] {
    return this.state.batches;
  }

  /** Reserves what a call can be charged at most. Waits for calls in flight if it does not fit beside them.
   * @returns null if it does not fit into the limits */
  async acquire(bound: Tokens, percent = 100): Promise<SpendReservation | null> {
    const wanted = createReservation(bound, this.prices, percent);
    while (!fitsRunLimits(this.state, wanted)) {
      if (this.#inFlight === 0) return null;
      await this.#changed.promise;
    }
    reserve(this.state, wanted);
    this.#inFlight += 1;
    try {
      await this.#enqueue(null);
    } catch (error) {
      // Other calls may wait for its end.
      this.#release(wanted);
      throw error;
    }
    return wanted;
  }

  /** Creates the reservation of a request that a batch may contain. `submitBatch` reserves the whole batch.
   * @param before what the batch's other requests can be charged @returns null if it does not fit into the limits */
  createFitting(
    before: Pick<SpendReservation, 'tokens' | 'cost'>,
    bound: Tokens,
    percent: number,
  ): SpendReservation | null {
    const wanted = createReservation(bound, this.prices, percent);
    const all = { percent, tokens: addTokens(before.tokens, wanted.tokens), cost: before.cost + wanted.cost };
    return fitsRunLimits(this.state, all) ? wanted : null;
  }

  /** Reserves a batch, and writes it with its requests before the endpoint gets them. */
  async submitBatch(batch: BatchState, requests: readonly CreatorResult[], percent: number): Promise<void> {
    reserve(this.state, { tokens: batch.reserved, cost: batch.cost, percent });
    this.state.batches = [...this.state.batches, batch];
    await Promise.all(requests.map((request) => this.#enqueue(request)));
  }

  /** Writes what is known of a batch: that it is about to be created, or the ID that the endpoint gave it. */
  async updateBatch(marker: string, known: Partial<Pick<BatchState, 'id' | 'isSent'>>): Promise<void> {
    this.state.batches = this.state.batches.map((batch) => (batch.marker === marker ? { ...batch, ...known } : batch));
    await this.#enqueue(null);
  }

  /** Replaces the reservations of a batch by what was charged, and stores its results, in one transaction.
   * @throws OperatorError if more was charged than the batch can cost */
  async settleBatch(
    { marker, reserved, cost }: BatchState,
    charged: Tokens,
    results: readonly CreatorResult[],
    percent: number,
  ): Promise<void> {
    this.state.batches = this.state.batches.filter((batch) => batch.marker !== marker);
    release(this.state, { tokens: reserved, cost, percent });
    const charge = this.costOf(charged, percent);
    spend(this.state, charged, this.prices && charge, percent);
    await Promise.all(results.length === 0 ? [this.#enqueue(null)] : results.map((result) => this.#enqueue(result)));
    requireCovered({ tokens: reserved, cost }, charged, charge);
  }

  /** Gives back a reservation for which nothing was charged. */
  refund(reservation: SpendReservation): Promise<boolean> {
    this.#release(reservation);
    return this.#enqueue(null);
  }

  /** Replaces a reservation by what was charged, and stores the result. @returns whether the result was stored
   * @throws OperatorError if more was charged than a call can cost, so that no limit can be held */
  async settle(
    reservation: SpendReservation,
    charged: Tokens,
    result: CreatorResult | null,
    count?: CountedOutcome,
  ): Promise<boolean> {
    const cost = this.costOf(charged, reservation.percent);
    this.#release(reservation);
    spend(this.state, charged, this.prices && cost, reservation.percent);
    if (count !== undefined) this.count(count);
    const isStored = await this.#enqueue(result);
    requireCovered(reservation, charged, cost);
    return isStored;
  }

  /** Stores a result that cost nothing. */
  store(result: CreatorResult, count: CountedOutcome): Promise<boolean> {
    this.count(count);
    return this.#enqueue(result);
  }

  costOf(tokens: Tokens, percent = 100): number {
    return this.prices === null ? 0 : costOf(tokens, this.prices, percent);
  }

  /** Counts a creator. The next transaction writes it. */
  count(name: CountedOutcome): void {
    this.state.counts[name] = (this.state.counts[name] ?? 0) + 1;
  }

  /** Writes what is left. @param isComplete false for a run that the same command continues */
  async close(isComplete: boolean): Promise<void> {
    clearInterval(this.#heartbeat);
    if (isComplete) this.#endedAt = Date.now();
    // Nobody is alive any more: the next run need not wait.
    this.state.pid = 0;
    await this.#enqueue(null);
  }

  #release(reservation: SpendReservation): void {
    release(this.state, reservation);
    this.#inFlight -= 1;
    this.#changed.resolve();
    this.#changed = withResolvers();
  }

  #enqueue(result: CreatorResult | null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ result, resolve, reject });
      if (!this.#isFlushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    // The operations of this turn of the event loop share a transaction.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#queue;
      this.#queue = [];
      await this.#writeWithRetries(group).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    this.#isFlushing = false;
  }

  /** Writes a group, and tries again for a while: its answers are paid for, and a large import may hold the lock. */
  async #writeWithRetries(group: readonly Operation[]): Promise<void> {
    this.state.alive_at = Date.now();
    // Later operations change the state while this group is retried: their results are not stored yet.
    const row = runRow(this.id, this.startedAt, this.#endedAt, this.state);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#write(group, row);
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || error instanceof OperatorError) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  async #write(group: readonly Operation[], row: ReturnType<typeof runRow>): Promise<void> {
    const results = group.flatMap(({ result }) => result ?? []);
    const isStored = await this.database.write(async (writer) => {
      const stored = await storeResults(writer, results);
      await this.#requireOwned(writer);
      await writer.upsert(EnrichmentRunEntity, [row]);
      return stored;
    });
    const byResult = new Map(results.map((result, index) => [result, isStored[index] ?? false]));
    for (const { result, resolve } of group) resolve(result === null || (byResult.get(result) ?? false));
  }

  /** @throws OperatorError if another process continues the run, because this one was suspended and seemed dead */
  async #requireOwned(writer: Writer): Promise<void> {
    const stored = await lockRunState(writer, this.id);
    if (stored?.owner === this.state.owner) return;
    throw new OperatorError(
      'unavailable',
      'another "enrich analysis" continues this run, because this process did not write for a minute',
    );
  }
}

/** @throws OperatorError if more was charged than was reserved */
function requireCovered(reserved: Pick<SpendReservation, 'tokens' | 'cost'>, charged: Tokens, cost: number): void {
  if (cost <= reserved.cost && sumTokens(charged) <= sumTokens(reserved.tokens)) return;
  throw new OperatorError(
    'failed',
    'the endpoint charged more tokens than the request has bytes and may produce, so no limit can be held: check its usage',
  );
}

interface Resolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** `Promise.withResolvers`, which Node.js 20 lacks. */
function withResolvers(): Resolvers {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
