/** Maximum nesting of arrays and objects: five times that of any platform's documents. */
export const MAX_JSON_DEPTH = 64;

/**
 * Returns whether parsed JSON is nested deeper than `MAX_JSON_DEPTH`. `JSON.parse` accepts any depth, but recursive code such
 * as `JSON.stringify` overflows the stack at some thousand levels. Does not recurse itself.
 */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; depth < MAX_JSON_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((nested) => Object.values(nested).filter(isNested));
  }
  return level.length > 0;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
