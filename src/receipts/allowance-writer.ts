import { OutOfBoundsError, type Database, type Writer } from '../database/database.js';
import {
  admit,
  listMonths,
  keyMonthId,
  reachedPercent,
  type AdmittedGroups,
  type AllowanceCheck,
  type KeyMonth,
  type MonthAllowance,
  type RecordAllowances,
} from './allowances.js';
import { addToMonths, lockMonths, readMonths, requireBounds, sumMonths, type MonthState } from './key-months.js';
import { NO_COST, type Cost } from './prices.js';
import type { UsageGroup, UsageRecord } from './usage-record.js';

/** Age at which a known sum is read again. Requests that came before the key had an allowance are recorded without updating the month,
 * so the sum may lack them. */
const RESUM_MS = 30_000;

/** Maximum months in memory. */
const MAX_KNOWN = 10_000;

/** Maximum attempts while other processes use up the same allowances. */
const MAX_ATTEMPTS = 20;

/** A month in which a key reached a threshold of which nobody was warned yet. */
export interface ReachedThreshold extends MonthState {
  readonly allowance: MonthAllowance;
  readonly percent: number;
}

/** Result of a write. */
export interface WriteResult {
  readonly byRecord: ReadonlyMap<UsageRecord, AllowanceCheck>;
  readonly reached: readonly ReachedThreshold[];
}

/** Result of a write without allowances. */
export const NOTHING_CHECKED: WriteResult = { byRecord: new Map(), reached: [] };

interface KnownUsage {
  readonly used: Cost;
  /** On the clock of `performance.now()`. */
  readonly summedAt: number;
}

/**
 * Writes groups with records of keys with allowances, and holds the allowances exactly.
 *
 * A transaction is one message to the server, because a process that stops between two messages would hold its locks, for
 * which the groups of all other processes would wait. So records are admitted by the usage that this process knows, and the
 * transaction fails if that makes a month exceed its allowance, or if a month has less than known, as when a command discarded
 * its row. Then, and before it rejects a record, the process sums the month again.
 */
export class AllowanceWriter {
  readonly #known = new Map<string, KnownUsage>();

  constructor(private readonly usage: Database) {}

  /** @param addGroups adds the statements that write groups */
  async write(
    groups: readonly UsageGroup[],
    allowances: RecordAllowances,
    addGroups: (writer: Writer, groups: readonly UsageGroup[]) => void,
    withinMs = Infinity,
  ): Promise<WriteResult> {
    const deadline = performance.now() + withinMs;
    for (let attempt = 1; ; attempt += 1) {
      const admitted = await this.#decide(groups, allowances, deadline);
      try {
        const { states } = await this.usage.write(async (writer) => {
          // All months before the totals, as in every transaction that locks both.
          addToMonths(writer, admitted.charges);
          requireBounds(writer, admitted.charges);
          addGroups(writer, admitted.groups);
          // In an object, because awaiting it would take another message.
          return { states: readMonths(writer, admitted.charges) };
        }, deadline - performance.now());
        return this.finish(admitted, await states);
      } catch (error) {
        if (!(error instanceof OutOfBoundsError) || attempt === MAX_ATTEMPTS) throw error;
        for (const month of admitted.charges) this.#known.delete(keyMonthId(month));
      }
    }
  }

  /** Returns the result of a write. @param states the months after it */
  finish({ checks, charges }: AdmittedGroups, states: readonly MonthState[]): WriteResult {
    const stored = new Map(states.map((state) => [keyMonthId(state), state]));
    const reached: ReachedThreshold[] = [];
    for (const charge of charges) {
      const state = stored.get(keyMonthId(charge));
      if (state === undefined) throw new Error(`the month ${keyMonthId(charge)} was not stored`);
      charge.usedElsewhere = difference(state.used, charge.used);
      this.#remember(state, this.#known.get(keyMonthId(charge))?.summedAt ?? performance.now());
      const percent = reachedPercent(charge.allowance, state.used);
      if (percent > state.warnedPercent) reached.push({ ...state, allowance: charge.allowance, percent });
    }
    return { byRecord: checks, reached };
  }

  /** Admits records. One is rejected only by a sum that was just read from the store. */
  async #decide(
    groups: readonly UsageGroup[],
    allowances: RecordAllowances,
    deadline: number,
  ): Promise<AdmittedGroups> {
    const stale = listMonths(groups, allowances).filter((month) => !this.#isCurrent(month));
    await this.#sum(stale, deadline);
    const admitted = admit(groups, allowances, (month) => this.#usedIn(month));
    const unsure = admitted.charges.filter(
      (charge) => charge.hasRejected && !stale.some((month) => keyMonthId(month) === keyMonthId(charge)),
    );
    if (unsure.length === 0) return admitted;
    await this.#sum(unsure, deadline);
    return admit(groups, allowances, (month) => this.#usedIn(month));
  }

  async #sum(months: readonly KeyMonth[], deadline: number): Promise<void> {
    if (months.length === 0) return;
    const { states } = await this.usage.write(async (writer) => {
      lockMonths(writer, months);
      sumMonths(writer, months);
      return { states: readMonths(writer, months) };
    }, deadline - performance.now());
    const now = performance.now();
    for (const state of await states) this.#remember(state, now);
  }

  #isCurrent(month: KeyMonth): boolean {
    const known = this.#known.get(keyMonthId(month));
    return known !== undefined && performance.now() - known.summedAt < RESUM_MS;
  }

  #usedIn(month: KeyMonth): Cost {
    return this.#known.get(keyMonthId(month))?.used ?? NO_COST;
  }

  #remember(state: MonthState, summedAt: number): void {
    if (this.#known.size >= MAX_KNOWN && !this.#known.has(keyMonthId(state))) this.#known.clear();
    this.#known.set(keyMonthId(state), { used: state.used, summedAt });
  }
}

const difference = (a: Cost, b: Cost): Cost => ({
  quotaUnits: a.quotaUnits - b.quotaUnits,
  credits: a.credits - b.credits,
});
