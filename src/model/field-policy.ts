/** Why a policy may hide a member: it is sensitive, or somebody may simply not be meant to see it. */
export type Hiding = 'sensitive' | 'hideable';

/** Members by name, because a member means the same wherever it is. Filled by `shape` as the schemas are made. */
const hidings = new Map<string, Hiding>();

/** Notes that a policy may hide a member. Only `shape` in `scalars.ts` calls it. */
export function noteHideable(member: string, hiding: Hiding): void {
  if (hidings.get(member) !== 'sensitive') hidings.set(member, hiding);
}

const namesOf = (hiding: Hiding): string[] =>
  Array.from(hidings, ([name, its]) => (its === hiding ? name : ''))
    .filter((name) => name !== '')
    .sort();

/** Members that identify a person, or that a data protection law treats as sensitive.
 * @throws Error before any schema is made: an empty list would show what a policy hides */
export function sensitiveMembers(): string[] {
  const names = namesOf('sensitive');
  if (names.length === 0) throw new Error('the schemas of the records are not loaded');
  return names;
}

/** Members that a key's policy may hide: those that a schema marks as `hideable` or `sensitive`. */
export const hideableMembers = (): string[] => [...sensitiveMembers(), ...namesOf('hideable')];

/** Stands for `sensitiveMembers`, also for those that a later version adds. */
const SENSITIVE = 'sensitive';
const NONE = 'none';

/** @returns a policy as a key keeps it; null for none @throws Error naming the members there are */
export function readPolicy(text: string): string | null {
  if (text === NONE) return null;
  const names = new Set(text.split(',').map((name) => name.trim()));
  const hideable = hideableMembers();
  const known: readonly string[] = [SENSITIVE, ...hideable];
  const unknown = [...names].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no member ${unknown.map((name) => `"${name}"`).join(', ')} to hide. ` +
        `It must be ${SENSITIVE}, ${NONE}, or some of ${hideable.toSorted().join(', ')}.`,
    );
  }
  return known.filter((name) => names.has(name)).join(',');
}

/** The members that a kept policy hides; null for a key without one. */
export function hiddenMembers(policy: string | null): ReadonlySet<string> | null {
  if (policy === null) return null;
  return new Set(policy.split(',').flatMap((name) => (name === SENSITIVE ? sensitiveMembers() : name)));
}
