import { randomInt } from 'node:crypto';
import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

/** Control characters, and those that turn the direction of text: a terminal obeys them, whoever wrote them. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** What this process alone can write into a colour, so that no file can: the colour of a name is escaped. */
const SIGNATURE = Array.from({ length: 3 }, () => randomInt(1000, 10_000)).join(';');

type Format = (text: string | number) => string;

/** Colours that the program itself sets. */
export type Colours = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', Format>>;

/** Colours on a terminal that takes them (`NO_COLOR`, `TERM=dumb`), plain text anywhere else. */
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

/** A line as a terminal may show it: colours of the program, and everything else as text. */
export function printable(line: string): string {
  return line
    .split(`;${SIGNATURE}m`)
    .map((part, nth, { length }) => (nth === length - 1 ? escapeControls(part) : withoutColour(part)))
    .join('');
}

/** What stands before a signature: text, and the beginning of a colour. */
function withoutColour(part: string): string {
  const start = part.lastIndexOf('\x1b');
  return `${escapeControls(part.slice(0, start))}${part.slice(start)}m`;
}

/** Control characters as JSON writes them. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROL, (control) => {
    const short = JSON.stringify(control).slice(1, -1);
    return short === control ? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}` : short;
  });

/** Writes lines for people. All that a command says goes this way: a name or a file may hold what a terminal obeys. */
export function print(stream: Pick<NodeJS.WritableStream, 'write'>, lines: string | readonly string[]): void {
  const all = typeof lines === 'string' ? [lines] : lines;
  stream.write(all.map((line) => `${printable(line)}\n`).join(''));
}
