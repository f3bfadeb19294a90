import { randomInt } from 'node:crypto';
import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

/** Control characters, including those that change the direction of text. A terminal would execute them. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

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

/** Escapes control characters as JSON does. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROL, (control) => {
    const short = JSON.stringify(control).slice(1, -1);
    return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
  });

/** Writes lines, escaped. All text for people goes through it: names and files may contain control characters. */
export function printLines(stream: Pick<NodeJS.WritableStream, 'write'>, lines: string | readonly string[]): void {
  const list = typeof lines === 'string' ? [lines] : lines;
  stream.write(list.map((line) => `${escapeLine(line)}\n`).join(''));
}
