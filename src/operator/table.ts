import Table from 'cli-table3';
import { colours, escapeControls } from './terminal.js';

type Cell = string | number;

/** Two spaces between columns, and no lines: as easy to read, and to cut into pieces. */
const NO_LINES = [
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right',
  'left left-mid mid mid-mid right right-mid',
].flatMap((names) => names.split(' '));
const CHARACTERS = Object.fromEntries(NO_LINES.map((name) => [name, '']));

/** The lines of a table with aligned columns, numbers right; on a terminal, head and totals stand out. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], hasTotals = false): string[] {
  const { bold, dim } = colours(process.stdout);
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const made = new Table({
    chars: { ...CHARACTERS, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: isNumber.map((right) => (right ? 'right' : 'left')),
  });
  made.push(head.map(dim));
  for (const [nth, row] of rows.entries()) {
    // Escaped before it is measured.
    const cells = row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : escapeControls(cell)));
    made.push(hasTotals && nth === rows.length - 1 ? cells.map(bold) : cells);
  }
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
