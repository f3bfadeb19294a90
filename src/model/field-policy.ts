/** Mark of a member that a policy can hide. `sensitive` members are also covered by the policy of that name. */
export type HideableMark = 'sensitive' | 'hideable';

/** Marked members by name; a name has the same meaning in every schema. `shape` fills it while the schemas load. */
const hideableMarks = new Map<string, HideableMark>();

/** Registers a member that a policy can hide. Only `shape` in `scalars.ts` calls it. */
export function registerHideable(member: string, hiding: HideableMark): void {
  if (hideableMarks.get(member) !== 'sensitive') hideableMarks.set(member, hiding);
}

const namesMarked = (hiding: HideableMark): string[] =>
  Array.from(hideableMarks, ([name, mark]) => (mark === hiding ? name : ''))
    .filter((name) => name !== '')
    .sort();

/** Lists the members that identify a person or that data protection law treats as sensitive.
 * @throws Error if no schema is loaded: an empty list would reveal what a policy hides */
export function sensitiveMembers(): string[] {
  const names = namesMarked('sensitive');
  if (names.length === 0) throw new Error('the schemas of the records are not loaded');
  return names;
}

/** Lists the members that a schema marks as `hideable` or `sensitive`. */
export const hideableMembers = (): string[] => [...sensitiveMembers(), ...namesMarked('hideable')];

/** Policy that hides all `sensitiveMembers`, including those that a later version adds. */
const SENSITIVE = 'sensitive';
const NONE = 'none';

/** Parses a policy into its stored form; null for `none`. @throws Error that lists the accepted members */
export function parsePolicy(text: string): string | null {
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

/** Returns the members that a stored policy hides; null for a key without a policy. */
export function hiddenMembers(policy: string | null): ReadonlySet<string> | null {
  if (policy === null) return null;
  return new Set(policy.split(',').flatMap((name) => (name === SENSITIVE ? sensitiveMembers() : name)));
}
