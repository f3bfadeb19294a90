import { NO_COST, type Cost } from './prices.js';
import type { UsageGroup, UsageRecord } from './usage-record.js';

/** Month allowances of a key, at least one of them set. */
export interface MonthAllowance {
  readonly monthUnits: number | null;
  readonly monthCredits: number | null;
}

/** Members of a record that its cost determines. */
export type RecordCost = Pick<UsageRecord, 'quota_units' | 'credits' | 'items_returned'>;

/** Month allowances of the key of a record, and shorter forms of the response, longest first: the first one that fits is recorded
 * in place of a response that does not fit. */
export interface RecordAllowance extends MonthAllowance {
  readonly shorter?: readonly RecordCost[];
}

/** Allowances of the records in groups. Beside the records, because the journal does not store them. */
export type RecordAllowances = ReadonlyMap<UsageRecord, RecordAllowance>;

/** A key in a UTC month, such as 202601. */
export interface KeyMonth {
  readonly keyId: string;
  readonly month: number;
}

/** How a record of a key fits its allowance. */
export class AllowanceCheck {
  readonly #units: number;
  readonly #credits: number;

  constructor(
    readonly allowance: MonthAllowance,
    private readonly month: MonthCharge,
    /** Whether the record did not fit, and became a 402. */
    readonly isRejected: boolean,
    /** Index of the shorter form that was recorded; null for the whole response. */
    readonly shorterForm: number | null = null,
  ) {
    this.#units = month.used.quotaUnits;
    this.#credits = month.used.credits;
  }

  /** Usage of the month after this record. */
  get used(): Cost {
    const { quotaUnits, credits } = this.month.usedElsewhere;
    return { quotaUnits: this.#units + quotaUnits, credits: this.#credits + credits };
  }
}

/** Records to write, and what they add per key and month. */
export interface AdmittedGroups {
  readonly groups: readonly UsageGroup[];
  readonly charges: readonly MonthCharge[];
  readonly checks: ReadonlyMap<UsageRecord, AllowanceCheck>;
}

export const UNLIMITED: MonthAllowance = { monthUnits: null, monthCredits: null };

export const keyMonthId = ({ keyId, month }: KeyMonth): string => `${keyId} ${month}`;

/** Returns the UTC month of a day number, such as 202601 of 20260131. */
export const monthOfDay = (day: number): number => Math.floor(day / 100);

/** Returns the start of the UTC month after an instant, in seconds since 1970. */
export function nextMonthSeconds(instantMs: number): number {
  const date = new Date(instantMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

/** Returns whether a request fits. A free one always does. Another one must fit the units and the credits of the allowance. */
export function fitsAllowance({ monthUnits, monthCredits }: MonthAllowance, used: Cost, cost: Cost): boolean {
  if (cost.quotaUnits === 0 && cost.credits === 0) return true;
  return (
    used.quotaUnits + cost.quotaUnits <= (monthUnits ?? Infinity) &&
    used.credits + cost.credits <= (monthCredits ?? Infinity)
  );
}

/** Returns the used part of an allowance: of its units or of its credits, whichever is higher. A limit of 0 is used up. */
export const usedRatio = ({ monthUnits, monthCredits }: MonthAllowance, used: Cost): number =>
  Math.max(ratio(used.quotaUnits, monthUnits), ratio(used.credits, monthCredits));

function ratio(used: number, limit: number | null): number {
  if (limit === null) return 0;
  return limit === 0 ? 1 : used / limit;
}

/** Percentages of an allowance at which the service warns, highest first. */
const THRESHOLDS = [100, 80];

/** Returns the highest threshold that is reached, in percent; 0 for none. */
export const reachedPercent = (allowance: MonthAllowance, used: Cost): number =>
  THRESHOLDS.find((percent) => usedRatio(allowance, used) * 100 >= percent) ?? 0;

/** What records of a key in a month add to its usage. */
export class MonthCharge implements KeyMonth {
  /** Allowance of the last record that has one. */
  allowance = UNLIMITED;
  /** Usage that the transaction must not exceed. Unlimited as soon as one of its records has no allowance. */
  bound: MonthAllowance = { monthUnits: 0, monthCredits: 0 };
  /** Cost of the admitted records. */
  added = NO_COST;
  /** Usage after them. */
  used: Cost;
  /** Usage recorded by other processes, which `used` lacks. */
  usedElsewhere = NO_COST;
  hasRejected = false;

  constructor(
    readonly keyId: string,
    readonly month: number,
    before: Cost,
  ) {
    this.used = before;
  }

  /** Whether an admitted record costs anything. */
  get isCharged(): boolean {
    return this.added !== NO_COST;
  }

  /** Adds a record if it fits. @param allowance null for a request that came before the key had an allowance, which counts but fits */
  add(
    allowance: MonthAllowance | null,
    { quota_units, credits }: Pick<RecordCost, 'quota_units' | 'credits'>,
  ): boolean {
    if (allowance !== null) this.allowance = allowance;
    if (quota_units === 0 && credits === 0) return true;
    const cost = { quotaUnits: quota_units, credits };
    if (allowance !== null && !fitsAllowance(allowance, this.used, cost)) {
      this.hasRejected = true;
      return false;
    }
    this.added = addCosts(this.added, cost);
    this.used = addCosts(this.used, cost);
    this.bound = higherBound(this.bound, allowance ?? UNLIMITED);
    return true;
  }
}

const addCosts = (a: Cost, b: Cost): Cost => ({
  quotaUnits: a.quotaUnits + b.quotaUnits,
  credits: a.credits + b.credits,
});

/**
 * Admits the records that fit, in their order; the others become shorter forms that fit, or 402s without cost. A smaller request
 * behind one that does not fit is still admitted.
 * @param usedBefore usage of a key in a month before these records
 */
export function admit(
  groups: readonly UsageGroup[],
  allowances: RecordAllowances,
  usedBefore: (keyMonth: KeyMonth) => Cost,
): AdmittedGroups {
  const months = new Map(
    listMonths(groups, allowances).map((each) => [
      keyMonthId(each),
      new MonthCharge(each.keyId, each.month, usedBefore(each)),
    ]),
  );
  const checks = new Map<UsageRecord, AllowanceCheck>();
  const admitted = groups.map((group) => {
    const charges = new Map<string, MonthCharge>();
    for (const charge of months.values()) if (charge.month === monthOfDay(group.day)) charges.set(charge.keyId, charge);
    const replaced = new Map<UsageRecord, UsageRecord>();
    for (const record of group.records) {
      const charge = charges.get(record.key_id ?? '');
      if (charge === undefined) continue;
      const allowance = allowances.get(record) ?? null;
      const isAdmitted = charge.add(allowance, record);
      const form = isAdmitted ? -1 : (allowance?.shorter ?? []).findIndex((shorter) => charge.add(allowance, shorter));
      const shorter = allowance?.shorter?.[form];
      if (allowance !== null) {
        const isRejected = !isAdmitted && shorter === undefined;
        checks.set(record, new AllowanceCheck(allowance, charge, isRejected, shorter === undefined ? null : form));
      }
      if (!isAdmitted)
        replaced.set(record, shorter === undefined ? asAllowanceExceeded(record) : { ...record, ...shorter });
    }
    if (replaced.size === 0) return group;
    return { ...group, records: group.records.map((record) => replaced.get(record) ?? record) };
  });
  return { groups: admitted, charges: [...months.values()], checks };
}

/** Lists the months of keys that have a record with an allowance. */
export function listMonths(groups: readonly UsageGroup[], allowances: RecordAllowances): KeyMonth[] {
  const months = new Map<string, KeyMonth>();
  for (const { day, records } of groups) {
    const keys = new Set<string>();
    for (const record of records) if (record.key_id !== null && allowances.has(record)) keys.add(record.key_id);
    for (const keyId of keys) {
      const keyMonth = { keyId, month: monthOfDay(day) };
      months.set(keyMonthId(keyMonth), keyMonth);
    }
  }
  return [...months.values()];
}

/** Requests of a key may have seen different allowances while the operator changed it. */
function higherBound(a: MonthAllowance, b: MonthAllowance): MonthAllowance {
  if (a.monthUnits === b.monthUnits && a.monthCredits === b.monthCredits) return a;
  return { monthUnits: higher(a.monthUnits, b.monthUnits), monthCredits: higher(a.monthCredits, b.monthCredits) };
}

const higher = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

const asAllowanceExceeded = (record: UsageRecord): UsageRecord => ({
  ...record,
  status: 402,
  quota_units: 0,
  credits: 0,
  items_returned: 0,
});
