/** The form in which handles are compared: without regard to case. The import stores it, look-ups ask for it. */
export function foldHandle(handle: string): string {
  return handle.normalize('NFC').toLowerCase();
}

/** A handle as users type it, without the leading `@` it may carry. */
export function withoutAt(handle: string): string {
  return handle.startsWith('@') ? handle.slice(1) : handle;
}
