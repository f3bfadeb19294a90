import { randomInt } from 'node:crypto';
import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

/** Scripts whose letters no joiner changes. */
const WITHOUT_JOINERS = ['Latin', 'Greek', 'Cyrillic', 'Han', 'Hangul', 'Hiragana', 'Katakana', 'Inherited']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/** A letter or an emoji that a joiner may connect with the next, as in Persian, Hindi and emoji of families. */
const JOINED = String.raw`(?:(?![${WITHOUT_JOINERS}])[\p{L}\p{M}\p{Emoji_Modifier}]|\p{Extended_Pictographic}\ufe0f?)`;

const JOINER = String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`;

/** Variation selectors choose between the forms of the visible character before them. */
const VARIATION = String.raw`\p{Variation_Selector}`;

/** Control characters, which a terminal would execute, and invisible ones, which change the direction of text or disguise a name. */
const UNSAFE = new RegExp(
  String.raw`(?!${JOINER}|${VARIATION})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`,
  'gu',
);

/** Random parameters in every colour code of this process. Codes without them come from data, and are escaped. */
const SIGNATURE = Array.from({ length: 3 }, () => randomInt(1000, 10_000)).join(';');

type Format = (text: string | number) => string;

/** Formatting functions whose output `escapeLine` does not escape. */
export type Colours = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Format>>;

/** Returns colours for a terminal that supports them (see `NO_COLOR`, `TERM=dumb`), plain text elsewhere. */
export function colours(stream: Partial<Pick<WriteStream, 'isTTY'>>): Colours {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(
    stream.isTTY === true && picocolors.isColorSupported,
  );
  return {
    bold: signed(bold),
    dim: signed(dim),
    red: signed(red),
    green: signed(green),
    yellow: signed(yellow),
    cyan: signed(cyan),
  };
}

function signed(format: Format): Format {
  const [open = '', close = ''] = format('|')
    .split('|')
    .map((code) => code.replaceAll('m', `;${SIGNATURE}m`));
  return (text) => `${open}${text}${close}`;
}

/** Escapes a line for a terminal. Only colours of this process are kept. */
export function escapeLine(line: string): string {
  return line
    .split(`;${SIGNATURE}m`)
    .map((part, index, { length }) => (index === length - 1 ? escapeControls(part) : escapeBeforeColour(part)))
    .join('');
}

/** Escapes the text before a signature, but not the start of the colour code. */
function escapeBeforeColour(part: string): string {
  const start = part.lastIndexOf('\x1b');
  return `${escapeControls(part.slice(0, start))}${part.slice(start)}m`;
}

/** Escapes control characters and invisible characters as JSON does. */
export const escapeControls = (text: string): string =>
  text.replace(UNSAFE, (character) => {
    const short = JSON.stringify(character).slice(1, -1);
    return short === character ? character.split('').map(escapeUnit).join('') : short;
  });

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes lines, escaped. All text for people goes through it: names and files may contain control characters. */
export function printLines(stream: Pick<NodeJS.WritableStream, 'write'>, lines: string | readonly string[]): void {
  const list = typeof lines === 'string' ? [lines] : lines;
  stream.write(list.map((line) => `${escapeLine(line)}\n`).join(''));
}
