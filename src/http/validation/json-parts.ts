const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, OPEN_OBJECT] = Buffer.from('"\\:,[{');

/** Parts of a JSON text. */
export interface JsonParts {
  /** Arrays, objects and members. */
  readonly structures: number;
  /** Values that follow another one in their array or object. */
  readonly values: number;
}

/**
 * Counts the parts of a JSON text in one pass, without parsing it: 256 KiB of small objects take 90 ms to parse and to check, in
 * which nobody else is answered, and as many numbers take 1.5 MiB of memory.
 */
export function countParts(text: Uint8Array): JsonParts {
  let [structures, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at + 1);
    else if (byte === COMMA) values += 1;
    else if (byte === COLON || byte === OPEN_LIST || byte === OPEN_OBJECT) structures += 1;
  }
  return { structures, values };
}

/** Returns where the quote is that ends a string. */
function endOfString(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}
