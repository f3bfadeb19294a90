import { createHash } from 'node:crypto';

/** Number of characters shown before and after a difference. */
const AROUND_CHARACTERS = 40;

/** Length above which a text is truncated. */
const SHOWN_CHARACTERS = 200;

/**
 * Describes the first difference of two texts, buffers or JSON values in a few lines. Jest would print both values in full.
 * @returns null if they are equal
 */
export function differenceOf(received: unknown, expected: unknown, path = ''): string | null {
  if (Object.is(received, expected)) return null;
  if (Buffer.isBuffer(received) && Buffer.isBuffer(expected)) {
    // latin1 maps each byte to one character, so that invalid UTF-8 is compared too.
    return differenceOf(received.toString('latin1'), expected.toString('latin1'), `${path} (bytes)`);
  }
  if (typeof received === 'string' && typeof expected === 'string') return ofTexts(received, expected, path);
  if (!isNested(received) || !isNested(expected) || Array.isArray(received) !== Array.isArray(expected)) {
    return `${path}: ${shown(received)} instead of ${shown(expected)}`;
  }
  const names = new Set([...Object.keys(received), ...Object.keys(expected)]);
  for (const name of names) {
    const difference = differenceOf(received[name], expected[name], `${path}/${name}`);
    if (difference !== null) return difference;
  }
  const [own, theirs] = [Object.keys(received).join(), Object.keys(expected).join()];
  return own === theirs ? null : differenceOf(own, theirs, `${path} (order of members)`);
}

function ofTexts(received: string, expected: string, path: string): string {
  let at = 0;
  while (received[at] === expected[at]) at += 1;
  const around = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, at - AROUND_CHARACTERS), at + AROUND_CHARACTERS));
  return [
    `${path}: the texts differ at ${at}, of ${received.length} characters instead of ${expected.length}`,
    `  received ${around(received)}`,
    `  expected ${around(expected)}`,
  ].join('\n');
}

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Truncates a long text, and adds its length. */
export const shortened = (text: string, maxCharacters = SHOWN_CHARACTERS): string =>
  text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}… (${text.length} characters)`;

const shown = (value: unknown): string => shortened(JSON.stringify(value) ?? 'undefined');

interface Printed {
  readonly status: number;
  readonly headers: object;
  readonly text: string;
}

/** Makes Jest print only the beginning and a digest of an answer's text. Comparisons do not change. */
export function printedShort<A extends Printed>(answer: A): A {
  const { status, headers, text } = answer;
  const digest = () => createHash('sha256').update(text).digest('hex');
  const toJSON = () => ({ status, headers, text: shortened(text), digest: digest() });
  return Object.defineProperty(answer, 'toJSON', { value: toJSON });
}
