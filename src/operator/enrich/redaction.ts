import { parseJson } from './parse-json.js';

/** Removes a key from texts that an endpoint sent: some endpoints repeat it. */
export interface Redaction {
  /** Of an error or a refusal. */
  readonly message: (text: string) => string;
  /** Of an answer. */
  readonly content: (text: string) => string;
}

/** Shorter keys, such as `test`, are words that an answer may have. They are no secrets. */
const MIN_SECRET = 16;

/** Creates the redaction of a key. It is for texts that were parsed: in JSON, a key may be escaped or be part of the syntax. */
export function redactionOf(key: string | null): Redaction {
  if (key === null) return { message: (text) => text, content: (text) => text };
  const message = (text: string): string => text.replaceAll(key, '…').replaceAll(JSON.stringify(key).slice(1, -1), '…');
  return { message, content: key.length < MIN_SECRET ? (text) => text : (text) => redactAnswer(text, message) };
}

/** Redacts the strings of an answer. An answer that is not JSON is redacted as a text. */
function redactAnswer(text: string, redact: (text: string) => string): string {
  const value = parseJson(text);
  if (value === null) return redact(text);
  const redacted = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? redact(inner) : inner));
  return redacted === JSON.stringify(value) ? text : redacted;
}
