import { normalizeText } from '../../model/normalize.mjs';

/** Returns the case-insensitive form of a handle, which imports store and look-ups search. */
export function foldHandle(handle: string): string {
  return normalizeText(handle, 'NFC').toLowerCase();
}

/** Removes a leading `@` from a handle. */
export function stripAt(handle: string): string {
  return handle.startsWith('@') ? handle.slice(1) : handle;
}
