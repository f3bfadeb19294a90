import type { Writer } from '../database/database.js';
import { keyMonthId, UNLIMITED, type KeyMonth, type MonthCharge } from './allowances.js';
import type { Cost } from './prices.js';
import { KeyMonthEntity, UsageTotalEntity } from './usage.entities.js';

/** Usage of a key in a month, as stored. */
export interface MonthState extends KeyMonth {
  readonly used: Cost;
  readonly warnedPercent: number;
}

const KEY = ['key_id', 'month'] as const;

const SUMS = ['quota_units', 'credits'] as const;

/** All columns that an upsert of an existing row adds to. */
const ADDED = [...SUMS, 'warned_percent'] as const;

const LAST_DAY = 31;

const keyOf = ({ keyId, month }: KeyMonth) => ({ key_id: keyId, month });

/** Sorted, so that concurrent transactions lock rows in the same order. */
const inOrder = <M extends KeyMonth>(months: readonly M[]): M[] =>
  months.toSorted((a, b) => (keyMonthId(a) < keyMonthId(b) ? -1 : 1));

/** Locks the rows of months, and creates missing ones. */
export function lockMonths(writer: Writer, months: readonly KeyMonth[]): void {
  const rows = inOrder(months).map((month) => ({ ...keyOf(month), quota_units: 0, credits: 0, warned_percent: 0 }));
  void writer.upsert(KeyMonthEntity, rows, { add: ADDED });
}

/** Sets locked months to the sums of their records. */
export function sumMonths(writer: Writer, months: readonly KeyMonth[]): void {
  const rows = inOrder(months).map((each) => ({
    key: keyOf(each),
    from: each.month * 100 + 1,
    to: each.month * 100 + LAST_DAY,
  }));
  void writer.upsertSums(KeyMonthEntity, UsageTotalEntity, { key: KEY, sums: SUMS, range: 'day' }, rows);
}

/** Adds what admitted records cost. */
export function addToMonths(writer: Writer, charges: readonly MonthCharge[]): void {
  const rows = inOrder(charges).map((charge) => ({
    ...keyOf(charge),
    quota_units: charge.added.quotaUnits,
    credits: charge.added.credits,
    warned_percent: 0,
  }));
  void writer.upsert(KeyMonthEntity, rows, { add: ADDED });
}

/** Fails the transaction with an `OutOfBoundsError` if a month has less than this process knew, or exceeds its bound. */
export function requireBounds(writer: Writer, charges: readonly MonthCharge[]): void {
  const bounds = inOrder(charges).map((charge) => {
    const { monthUnits, monthCredits } = charge.isCharged ? charge.bound : UNLIMITED;
    return {
      key: keyOf(charge),
      least: { quota_units: charge.used.quotaUnits, credits: charge.used.credits },
      most: {
        quota_units: monthUnits ?? Number.MAX_SAFE_INTEGER,
        credits: monthCredits ?? Number.MAX_SAFE_INTEGER,
      },
    };
  });
  void writer.requireWithin(KeyMonthEntity, KEY, SUMS, bounds);
}

/** Reads and locks months. If it is not awaited, the commit reports its error. */
export function readMonths(writer: Writer, months: readonly KeyMonth[]): Promise<MonthState[]> {
  const rows = writer.lock(KeyMonthEntity, KEY, inOrder(months).map(keyOf), [...KEY, ...ADDED]);
  const states = rows.then((read) => read.map(toState));
  states.catch(() => undefined);
  return states;
}

const toState = ({ key_id, month, quota_units, credits, warned_percent }: KeyMonthEntity): MonthState => ({
  keyId: String(key_id),
  month,
  used: { quotaUnits: quota_units, credits },
  warnedPercent: warned_percent,
});

/** Raises the highest threshold that was warned about. @returns false if it was warned about before */
export async function raiseWarnedPercent(writer: Writer, month: KeyMonth, percent: number): Promise<boolean> {
  const [state] = await readMonths(writer, [month]);
  if (state === undefined || state.warnedPercent >= percent) return false;
  const row = { ...keyOf(month), quota_units: 0, credits: 0, warned_percent: percent };
  void writer.upsert(KeyMonthEntity, [row], { add: SUMS });
  return true;
}
