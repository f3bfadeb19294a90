/** Levels of arrays and objects in each other: five times what any document of a platform has. */
export const MAX_JSON_DEPTH = 64;

/**
 * Whether parsed JSON is nested deeper than that. `JSON.parse` takes any depth, but `JSON.stringify` and whatever else
 * recurses overflows the stack at some thousand levels. Does not recurse itself.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; depth < MAX_JSON_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((nested) => Object.values(nested).filter(isNested));
  }
  return level.length > 0;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
