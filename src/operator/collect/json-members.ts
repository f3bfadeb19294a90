import { isObject, type JsonObject } from '../../sources/json-object.js';

/**
 * Reports whether a body has the requested list, and is not an error message.
 * @param isEntry holds for at least one entry of the list, if it has any
 */
export function hasList(body: unknown, name: string, isEntry: (entry: unknown) => boolean = () => true): boolean {
  const list: unknown = isObject(body) ? body[name] : undefined;
  return Array.isArray(list) && (list.length === 0 || list.some(isEntry));
}

/** Returns the objects in a list of a response; none if the response has no such list. */
export function listIn(body: unknown, name: string): JsonObject[] {
  const list: unknown = isObject(body) ? body[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Returns a text, or a whole number as text, in an object, at a path of members; null if there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  let member = value;
  for (const name of path) member = isObject(member) ? member[name] : undefined;
  if (Number.isSafeInteger(member)) return String(member);
  return typeof member === 'string' && member !== '' ? member : null;
}
