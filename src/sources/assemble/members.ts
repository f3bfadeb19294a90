/// <reference lib="es2024.string" />
/** When nothing says when something was observed: before any time that is known. */
export const UNDATED = -1;

/** The value of a member, and when it was observed, in milliseconds. */
export interface Observed {
  readonly at: number;
  readonly value: unknown;
}

/** What is known of a record, by member; counts are members such as `statistics.views`. An unknown member is not there. */
export type Members = Map<string, Observed>;

/** Members of which the latest value counts, whenever it was observed. */
const LATEST_VALUE = 'last_active_at';

/** Adds what somebody observed. The result does not depend on the order, and adding it again changes nothing. */
export function observe(members: Members, name: string, observed: Observed): void {
  const before = members.get(name);
  if (before === undefined || compare(name, before, observed) < 0) members.set(name, observed);
}

/** Which observation of a member counts: the newer one; of the same age one that is not null, then the greater text. */
function compare(name: string, a: Observed, b: Observed): number {
  if (name === LATEST_VALUE) return compareTexts(a.value, b.value) || a.at - b.at;
  if (name === 'type' && (a.value === 'video') !== (b.value === 'video')) return a.value === 'video' ? -1 : 1;
  return a.at - b.at || compareTexts(a.value, b.value);
}

function compareTexts(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Adds all members of a fragment. @param known as JSON */
export function observeAll(members: Members, known: string, at: number): void {
  const { statistics, ...others } = readKnown(known);
  for (const name in others) observe(members, name, { at, value: others[name] });
  for (const name in statistics) observe(members, `${STATISTICS}${name}`, { at, value: statistics[name] });
}

const STATISTICS = 'statistics.';

type Known = Readonly<Record<string, unknown>> & { readonly statistics?: Readonly<Record<string, unknown>> };

/** Half a surrogate pair cannot be stored; it stays visible as U+FFFD. */
function readKnown(known: string): Known {
  if (!known.includes('\\ud')) return JSON.parse(known) as Known;
  return JSON.parse(known, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)) as Known;
}

/** The value of a member: null where it is unknown or empty. */
export function valueOf<T>(members: Members, name: string): T | null {
  const value = members.get(name)?.value ?? null;
  return value === '' ? null : (value as T | null);
}

/** The counts that are known, by name. */
export function statisticsOf(members: Members): Record<string, unknown> {
  const statistics: Record<string, unknown> = {};
  for (const [name, { value }] of members) {
    if (name.startsWith(STATISTICS) && value !== null) statistics[name.slice(STATISTICS.length)] = value;
  }
  return statistics;
}

/** The newest observation of a record, `UNDATED` if none has a time. */
export function newestOf(members: Members): number {
  let newest = UNDATED;
  for (const { at } of members.values()) if (at > newest) newest = at;
  return newest;
}
