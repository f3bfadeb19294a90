import type { DocumentContext } from '../fragment.js';
import type { Findings } from './findings.js';

export type Item = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not an array. */
export function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object that a document holds in this member, or nothing. */
export function inner(value: unknown, name: string): Item | null {
  const member = isItem(value) ? value[name] : null;
  return isItem(member) ? member : null;
}

/** The first object of the list a response holds, or the document itself. */
export function firstOf(document: unknown, list: string): Item | null {
  if (!isItem(document)) return null;
  const items = document[list];
  if (!Array.isArray(items)) return document;
  const [first] = items as unknown[];
  return isItem(first) ? first : null;
}

/** Calls for each object of the list a response holds, or for the document itself. An empty list is skipped. */
export function eachOf(
  document: unknown,
  list: string,
  found: Findings,
  read: (item: Item, place: string) => void,
): void {
  if (!isItem(document)) return;
  const items = document[list];
  if (!Array.isArray(items)) return read(document, '');
  if (items.length === 0) found.skip('empty page');
  for (const [index, item] of (items as unknown[]).entries()) {
    const place = `${list}[${index}]`;
    if (isItem(item)) read(item, place);
    else found.reject(place, 'must be an object');
  }
}

/** Whether a request went to this host or one below it. */
export function wentTo({ url }: DocumentContext, host: string): boolean {
  return url !== null && (url.hostname === host || url.hostname.endsWith(`.${host}`));
}

/** A value for a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
