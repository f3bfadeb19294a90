/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Reports whether a value is an object, not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
