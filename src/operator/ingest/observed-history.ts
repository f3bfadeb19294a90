import { isDeepStrictEqual } from 'node:util';
import type { Stored } from '../../database/statements.js';
import type { HistoryEntity } from '../../features/history/history.entity.js';
import { NOT_AN_OBSERVATION } from '../../features/profiles/profile.entity.js';
import { DAY_MS } from '../../model/calendar-date.js';
import { platformCode } from '../../model/platforms.js';
import { toDayNumber } from '../../receipts/usage-record.js';
import type { AssembledRecord } from '../../sources/assemble/assembly.js';
import { TRACKED_STATISTICS, type TrackedStatistic } from '../../sources/assemble/daily-statistics.js';
import { observe, UNDATED, type Members } from '../../sources/assemble/observations.js';
import { IMPORTED, type StoredRecord } from './merge.js';

/**
 * Returns an observation for each UTC day with a response about the profile, so that runs may come in any order. A statistic
 * missing from a day's responses gets the latest value known at its end.
 * @param stored the profile before the run
 */
export function observedHistory(record: AssembledRecord, stored: StoredRecord | null): Stored<HistoryEntity>[] {
  const rows: Stored<HistoryEntity>[] = [];
  const known: Members = new Map();
  for (const [number, { at, members }] of [...(record.days ?? [])].sort(([a], [b]) => a - b)) {
    for (const [name, observed] of members) observe(known, name, observed);
    if (at === UNDATED) continue;
    const end = (number + 1) * DAY_MS;
    const [followers, views_estimated] = TRACKED_STATISTICS.map((name) => latestValue(name, known, stored, end));
    if (typeof followers !== 'number' && typeof views_estimated !== 'number') continue;
    rows.push({
      platform: platformCode(record.platform),
      profile_id: record.id,
      day: toDayNumber(at),
      observed_at: at,
      followers: followers ?? null,
      views_estimated: views_estimated ?? null,
    });
  }
  return rows;
}

/** Rows that store a profile and its observed days. */
interface ObservedRows<R extends object> {
  readonly row: R;
  /** Days for the history. */
  readonly days: readonly Stored<HistoryEntity>[];
}

/** Columns of a profile that is no observation. */
const NO_OBSERVATION = { observed_at: NOT_AN_OBSERVATION, observed_followers: null, observed_views: null };

/** Leaves out the day whose observation the row of the profile holds. If there is none, the row must not count as an observation: its
 * statistics may be older than its date. @param held what the row holds; undefined for other kinds of records */
export function holdLatestDay<R extends object>(
  row: R,
  days: readonly Stored<HistoryEntity>[],
  held: Stored<HistoryEntity> | null | undefined,
): ObservedRows<R> {
  if (held === undefined) return { row, days };
  const others = days.filter((day) => held === null || !isDeepStrictEqual(day, held));
  return { row: others.length < days.length ? row : { ...row, ...NO_OBSERVATION }, days: others };
}

/** Returns the latest known value before a time; null if it is unknown or no count. */
function latestValue(name: TrackedStatistic, known: Members, stored: StoredRecord | null, end: number): number | null {
  const found: Members = new Map();
  const observed = known.get(name);
  if (observed !== undefined) observe(found, name, observed);
  const value = (stored?.document.statistics as Readonly<Record<string, unknown>> | undefined)?.[name] ?? null;
  const at = stored?.state.times.get(`statistics.${name}`) ?? (value === null ? null : IMPORTED);
  if (at !== null && at < end) observe(found, name, { at, value });
  const latest = found.get(name)?.value;
  return Number.isSafeInteger(latest) ? Number(latest) : null;
}
