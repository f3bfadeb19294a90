/** Levels of JSON beyond which it is invalid: walking through it could overflow the stack. */
const MAX_LEVELS = 100;

/** Parses JSON. @returns null if it is invalid: the message of the error would repeat its text */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isTooDeep(value) ? null : value;
  } catch {
    return null;
  }
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    if (level.length === 0) return false;
  }
  return true;
}
