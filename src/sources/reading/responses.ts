import type { DocumentContext } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import type { Findings } from './findings.js';

/** Returns the object in a member, or null if there is none. */
export function getObject(value: unknown, name: string): JsonObject | null {
  const member = isObject(value) ? value[name] : null;
  return isObject(member) ? member : null;
}

/** Returns the first object in the response's list, or the document itself if it has no list. */
export function firstItem(document: unknown, list: string): JsonObject | null {
  if (!isObject(document)) return null;
  const items = document[list];
  if (!Array.isArray(items)) return document;
  const [first] = items as unknown[];
  return isObject(first) ? first : null;
}

/** Calls `read` for each object in the response's list, or for the document itself if it has no list. */
export function forEachItem(
  document: unknown,
  list: string,
  findings: Findings,
  read: (item: JsonObject, itemPath: string) => void,
): void {
  if (!isObject(document)) return;
  const items = document[list];
  if (!Array.isArray(items)) return read(document, '');
  if (items.length === 0) findings.skip('empty page');
  for (const [index, item] of (items as unknown[]).entries()) {
    const itemPath = `${list}[${index}]`;
    if (isObject(item)) read(item, itemPath);
    else findings.reject(itemPath, 'must be an object');
  }
}

/** Reports whether a request was sent to this host or a subdomain. */
export function isRequestTo({ url }: DocumentContext, host: string): boolean {
  return url !== null && (url.hostname === host || url.hostname.endsWith(`.${host}`));
}

/** Formats a value for a message. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
