/** A document without what a policy hides: null there, or an empty list. One that holds none of it stays as it is. */
export function hideMembers(document: Buffer, hidden: ReadonlySet<string>): Buffer {
  const value: unknown = JSON.parse(String(document));
  return hideIn(value, hidden) ? Buffer.from(JSON.stringify(value)) : document;
}

/** Hides at any depth, because a member means the same wherever it is. @returns whether anything has changed */
function hideIn(value: unknown, hidden: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let changed = false;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && hidden.has(name)) {
      (value as Record<string, unknown>)[name] = Array.isArray(inner) ? [] : null;
      changed = true;
    } else if (hideIn(inner, hidden)) changed = true;
  }
  return changed;
}
