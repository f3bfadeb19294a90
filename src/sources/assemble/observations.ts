/// <reference lib="es2024.string" />
/** Time of an observation whose time is unknown: earlier than any known time. */
export const UNDATED = -1;

/** A member's value, and the time it was observed, in milliseconds since 1970. */
export interface Observed {
  readonly at: number;
  readonly value: unknown;
}

/** The known members of a record by name; a count is a member such as `statistics.views`. */
export type Members = Map<string, Observed>;

/** The member whose greatest value wins, whenever it was observed. */
const GREATEST_VALUE_MEMBER = 'last_active_at';

/** Adds an observation of a member. The result does not depend on the order, and adding it again changes nothing. */
export function observe(members: Members, name: string, observed: Observed): void {
  const existing = members.get(name);
  if (existing === undefined || compare(name, existing, observed) < 0) members.set(name, observed);
}

/** Orders observations of a member: by time, then null before other values, then by JSON text. The greatest wins. */
function compare(name: string, a: Observed, b: Observed): number {
  if (name === GREATEST_VALUE_MEMBER) return compareValues(a.value, b.value) || a.at - b.at;
  if (name === 'type' && (a.value === 'video') !== (b.value === 'video')) return a.value === 'video' ? -1 : 1;
  return a.at - b.at || compareValues(a.value, b.value);
}

function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Adds all members of a fragment.
 *
 * @param text the fragment's members as JSON
 * @returns the fragment's members
 */
export function observeFragment(members: Members, text: string, at: number): Known {
  const known = readKnown(text);
  const { statistics, ...others } = known;
  for (const name in others) observe(members, name, { at, value: others[name] });
  for (const name in statistics) observe(members, `${STATISTICS}${name}`, { at, value: statistics[name] });
  return known;
}

const STATISTICS = 'statistics.';

/** Members of a fragment. */
export type Known = Readonly<Record<string, unknown>> & { readonly statistics?: Readonly<Record<string, unknown>> };

/** Parses a fragment's members. Half a surrogate pair cannot be stored, so it becomes U+FFFD. */
function readKnown(known: string): Known {
  if (!known.includes('\\ud')) return JSON.parse(known) as Known;
  return JSON.parse(known, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)) as Known;
}

/** Returns a member's value, or null if it is unknown or empty. */
export function memberValue<T>(members: Members, name: string): T | null {
  const value = members.get(name)?.value ?? null;
  return value === '' ? null : (value as T | null);
}

/** Returns the known counts by name. */
export function knownStatistics(members: Members): Record<string, unknown> {
  const statistics: Record<string, unknown> = {};
  for (const [name, { value }] of members) {
    if (name.startsWith(STATISTICS) && value !== null) statistics[name.slice(STATISTICS.length)] = value;
  }
  return statistics;
}

/** Returns the time of a record's newest observation, or `UNDATED` if none has a time. */
export function latestObservation(members: Members): number {
  let newest = UNDATED;
  for (const { at } of members.values()) if (at > newest) newest = at;
  return newest;
}
