import { CollectDayEntity } from '../../database/collect-day.entity.js';
import { CollectTargetEntity } from '../../database/collect-target.entity.js';
import type { Database, Writer } from '../../database/database.js';
import { platformCode } from '../../model/platforms.js';
import { findForgotten } from '../import/suppression.js';
import { sourceCode, SOURCE_PLATFORMS, type CollectSource } from './collect-source.js';
import { mergeStates } from './same-creator.js';
import { stepKey, type Call, type Target } from './schedule.js';
import { markClaimed, MAX_AHEAD_MS, withoutFuture, type TargetState } from './target-state.js';

/** What was spent on a day. */
export interface Spent {
  readonly calls: number;
  readonly units: number;
}

/** A call that may be made at a time; or why it may not be made. */
export type CallReservation =
  | { readonly kind: 'reserved'; readonly at: number; readonly states: ReadonlyMap<string, TargetState> }
  | { readonly kind: 'exhausted' }
  /** Another collector asks, or has asked; or a creator was forgotten. */
  | {
      readonly kind: 'outdated';
      readonly states: ReadonlyMap<string, TargetState>;
      /** Targets who were forgotten. */
      readonly forgotten: readonly string[];
    };

export interface ReserveOptions {
  readonly day: number;
  readonly units: number;
  /** Units of the day that may be spent. */
  readonly budget: number;
  readonly intervalMs: number;
  readonly now: number;
  /** How long the call belongs to this collector after it may be made, in milliseconds. */
  readonly claimMs: number;
  /** Whether an earlier attempt of this collector holds the claim. */
  readonly isRetry: boolean;
}

/** Rolls back a reservation that does not fit into the budget. */
class BudgetExhausted extends Error {}

const PAGE_SIZE = 1000;

/** Row of the ledger that says until when the platform wants no calls: the wait may end on another day. */
const PAUSE = -1;

/** Longest wait because of other collectors' calls. Only a clock that was set back asks for more. */
const MAX_SPACING_MS = 60_000;

/** Returns a time of the ledger; 0 if only a wrong clock can have written it. */
const zeroIfBeyond = (at: number, limit: number): number => (Number(at) > limit ? 0 : Number(at));

/** States of creators in the database. */
interface LockedTargets {
  /** States of the creators who were asked about, under any name. */
  readonly states: Map<string, TargetState>;
  readonly forgotten: readonly string[];
}

/** Ledger and states of one source in the database. All collectors of the source share them. */
export class CollectStore {
  readonly #code: number;

  /** @param now returns milliseconds since 1970 */
  constructor(
    private readonly database: Database,
    private readonly source: CollectSource,
    private readonly now: () => number = Date.now,
  ) {
    this.#code = sourceCode(source);
  }

  /** Reads the states of all creators who were ever asked about. */
  async readStates(): Promise<Map<string, TargetState>> {
    const list = this.database.list({
      entity: CollectTargetEntity,
      filters: ['source'],
      keys: ['target'],
      columns: ['document'],
    });
    const states = new Map<string, TargetState>();
    for await (const rows of this.database.pages(list, { filters: [this.#code], limit: PAGE_SIZE })) {
      for (const { target, document } of rows) states.set(String(target), this.#parse(document));
    }
    return states;
  }

  /** Reads what was spent on a day. */
  async readSpent(day: number): Promise<Spent> {
    const byDay = this.database.lookup({
      entity: CollectDayEntity,
      group: 'source',
      id: 'day',
      columns: ['calls', 'units'],
    });
    const [row] = await this.database.findMany(byDay, this.#code, [day], { source: 'primary' });
    return { calls: Number(row?.calls ?? 0), units: Number(row?.units ?? 0) };
  }

  /**
   * Counts a call before it is made, and claims its creators, in one transaction: a killed collector leaves it counted, and
   * another collector does not repeat it.
   */
  async reserve(call: Pick<Call, 'step' | 'targets'>, options: ReserveOptions): Promise<CallReservation> {
    try {
      return await this.database.write((writer) => this.#reserve(writer, call, options));
    } catch (error) {
      if (error instanceof BudgetExhausted) return { kind: 'exhausted' };
      throw error;
    }
  }

  async #reserve(
    writer: Writer,
    { step, targets }: Pick<Call, 'step' | 'targets'>,
    { day, units, budget, intervalMs, now, claimMs, isRetry }: ReserveOptions,
  ): Promise<CallReservation> {
    // `forget` holds this lock, too.
    await writer.lockData();
    const key = { source: this.#code, day };
    // Creates and locks the row, so that collectors reserve one after another.
    await writer.upsert(CollectDayEntity, [{ ...key, calls: 1, units }], { add: ['calls', 'units'] });
    const [row] = await writer.lock(CollectDayEntity, ['source', 'day'], [key], ['calls', 'units', 'next_at']);
    if (row === undefined) throw new Error('the ledger has lost a row');
    if (Number(row.units) > budget) throw new BudgetExhausted();
    const { states, forgotten } = await this.#lockStates(writer, targets);
    const name = stepKey(step);
    const isOutdated = targets.some(({ name: target, state }) => {
      const current = states.get(target) ?? state;
      return current.asked[name] !== state.asked[name] || (current.claims[name] ?? 0) > now;
    });
    if ((isOutdated && !isRetry) || forgotten.length > 0) {
      await writer.upsert(CollectDayEntity, [{ ...key, calls: -1, units: -units }], { add: ['calls', 'units'] });
      return { kind: 'outdated', states, forgotten };
    }
    const at = Math.max(now, zeroIfBeyond(row.next_at, now + MAX_SPACING_MS), await this.#pausedUntil(writer, now));
    await writer.upsert(CollectDayEntity, [{ ...key, next_at: at + intervalMs }]);
    const claimed = new Map(
      targets.map(({ name: target, state: { everyMs, keepMs, ...state } }) => {
        const current = { ...state, ...states.get(target), everyMs, keepMs };
        return [target, markClaimed(current, name, at + claimMs)];
      }),
    );
    await this.#write(writer, claimed);
    return { kind: 'reserved', at, states: claimed };
  }

  /** Lets no collector call before a time. */
  async pause(until: number): Promise<void> {
    await this.database.write((writer) =>
      writer.upsert(CollectDayEntity, [{ source: this.#code, day: PAUSE, next_at: until }], { keepHighest: 'next_at' }),
    );
  }

  async #pausedUntil(writer: Writer, now: number): Promise<number> {
    const key = { source: this.#code, day: PAUSE };
    const [row] = await writer.lock(CollectDayEntity, ['source', 'day'], [key], ['calls', 'units', 'next_at']);
    return zeroIfBeyond(row?.next_at ?? 0, now + MAX_AHEAD_MS);
  }

  /** Notes that the platform itself reports the quota of a day as used up. */
  async exhaust(day: number, budget: number): Promise<void> {
    await this.database.write((writer) =>
      writer.upsert(CollectDayEntity, [{ source: this.#code, day, units: budget }], { keepHighest: 'units' }),
    );
  }

  /**
   * Changes the states of the creators of a call in one transaction: another collector may have asked about other steps.
   * @param change returns the new states; it gets the call with the current ones
   * @returns the new states
   */
  update(
    call: Call,
    change: (current: Call) => ReadonlyMap<string, TargetState>,
  ): Promise<ReadonlyMap<string, TargetState>> {
    return this.database.write(async (writer) => {
      await writer.lockData();
      const { states, forgotten } = await this.#lockStates(writer, call.targets);
      const targets = call.targets
        .filter(({ name: target }) => !forgotten.includes(target))
        .map((each) => ({ ...each, state: states.get(each.name) ?? each.state }));
      const changed = change({ ...call, targets });
      await this.#write(writer, changed);
      return changed;
    });
  }

  /** Reads the states of creators and locks them, under the writers' lock. A creator who was never asked about has none. */
  async #lockStates(writer: Writer, targets: readonly Target[]): Promise<LockedTargets> {
    const keys = targets.map(({ name: target }) => ({ source: this.#code, target }));
    const rows = await writer.lock(CollectTargetEntity, ['source', 'target'], keys, ['target', 'document']);
    const states = new Map(rows.map(({ target, document }) => [String(target), this.#parse(document)]));
    const idOf = ({ name: target, state }: Target) => (states.get(target) ?? state).id;
    const ids = targets.flatMap((each) => idOf(each) ?? []);
    const columns = ['target', 'document'] as const;
    const byId = writer.lookup({ entity: CollectTargetEntity, group: 'source', id: 'profile_id', columns });
    const named = await writer.findMany(byId, this.#code, ids);
    for (const each of targets) {
      const { name: target, state } = each;
      const others = named.filter((row) => row.profile_id === idOf(each) && row.target !== target);
      if (others.length === 0) continue;
      const known = others.map(({ document }) => this.#parse(document));
      states.set(target, mergeStates(states.get(target) ?? state, known));
    }
    if (this.source === 'igdb') return { states, forgotten: [] };
    const platform = platformCode(SOURCE_PLATFORMS[this.source]);
    const isForgotten = await findForgotten(
      writer,
      ids.map((profileId) => ({ platform, profileId })),
    );
    const forgotten = targets.filter((each) => isForgotten({ platform, profileId: idOf(each) ?? '' }));
    return { states, forgotten: forgotten.map(({ name: target }) => target) };
  }

  #parse(document: Buffer): TargetState {
    // Earlier versions stored neither.
    const stored = JSON.parse(String(document)) as Omit<TargetState, 'alone' | 'failures'> & Partial<TargetState>;
    return withoutFuture({ ...stored, alone: stored.alone ?? [], failures: stored.failures ?? {} }, this.now());
  }

  #write(writer: Writer, states: ReadonlyMap<string, TargetState>): Promise<unknown> {
    return writer.upsert(
      CollectTargetEntity,
      Array.from(states, ([target, state]) => ({
        source: this.#code,
        target,
        profile_id: state.id,
        document: JSON.stringify(state),
      })),
    );
  }
}
