// The key of the person at the browser, shared by all pages. It is kept until the tab is closed, and sent to this service only.

const NAME = 'creator-data.key';
const rejected = new Set();

/** Null if the browser forbids storage: then each page starts without a key. */
function openStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

const storage = openStorage();
let current = storage?.getItem(NAME) ?? '';

/** Returns the key of this tab, empty if there is none. It has only characters of keys, so it is safe in examples. */
export const readKey = () => current;

/** Keeps a key that was typed. Another text, or a key that was rejected before, replaces it by none. */
export function keepKey(text) {
  const key = text.trim();
  current = /^[\w-]+$/.test(key) && !rejected.has(key) ? key : '';
  if (current === '') storage?.removeItem(NAME);
  else storage?.setItem(NAME, current);
}

/** Forgets a key that the service rejected. */
export function rejectKey(key) {
  rejected.add(key);
  if (key === current) keepKey('');
}

/** Requests the usage of a key, which costs nothing. The key is kept, or forgotten if it is rejected. @returns the response */
export async function checkKey(key) {
  const response = await fetch(new URL('usage', import.meta.url), {
    headers: { 'x-api-key': key },
    cache: 'no-store',
    credentials: 'omit',
  });
  if (response.status === 401 || response.status === 403) rejectKey(key);
  else keepKey(key);
  return response;
}
