/** Replaces hidden members of a document with null, and hidden lists with []. Returns the same bytes if none is present. */
export function hideMembers(document: Buffer, hidden: ReadonlySet<string>): Buffer {
  const value: unknown = JSON.parse(String(document));
  return hideIn(value, hidden) ? Buffer.from(JSON.stringify(value)) : document;
}

/** Hides members at any depth, because a name has the same meaning everywhere. @returns whether anything changed */
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
