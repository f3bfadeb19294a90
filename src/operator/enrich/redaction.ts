import { parseJson } from './parse-json.js';

/** Removes a key from texts that an endpoint sent: some endpoints repeat it. */
export interface Redaction {
  /** Redacts an error or a refusal. */
  readonly message: (text: string) => string;
  /** Redacts an answer. */
  readonly content: (text: string) => string;
}

/** Shorter keys, such as `test`, are words that an answer may have. They are not secret. */
const MIN_SECRET = 16;

/** Creates the redaction of a key. It is for texts that were parsed: in JSON, a key may be escaped or be part of the syntax. */
export function redactionOf(key: string | null): Redaction {
  if (key === null) return { message: (text) => text, content: (text) => text };
  const message = (text: string): string => text.replaceAll(key, '…').replaceAll(JSON.stringify(key).slice(1, -1), '…');
  return { message, content: key.length < MIN_SECRET ? (text) => text : (text) => redactAnswer(text, message) };
}

/** Redacts the strings and the property names of an answer. An answer that is not JSON is redacted as a text. */
function redactAnswer(text: string, redact: (text: string) => string): string {
  const value = parseJson(text);
  if (value === null) return redact(text);
  const redacted = JSON.stringify(redactValue(value, redact));
  // Of properties with the same name, only the last one is parsed.
  const isClean = redacted === JSON.stringify(value) && redact(text) === text;
  return isClean ? text : redacted;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((element) => redactValue(element, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redactValue(inner, redact)]));
}
