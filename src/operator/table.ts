import Table from 'cli-table3';
import { colours, escapeControls } from './terminal.js';

type Cell = string | number;

/** The borders of the table, all empty: columns are separated by two spaces, which scripts can split. */
const BORDERS = [
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right',
  'left left-mid mid mid-mid right right-mid',
].flatMap((names) => names.split(' '));
const NO_BORDERS = Object.fromEntries(BORDERS.map((name) => [name, '']));

/** Formats a table, with columns of numbers aligned right. On a terminal, headings are dim and totals are bold. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[], hasTotals = false): string[] {
  const { bold, dim } = colours(process.stdout);
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const formatted = new Table({
    chars: { ...NO_BORDERS, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: isNumber.map((right) => (right ? 'right' : 'left')),
  });
  formatted.push(head.map(dim));
  for (const [index, row] of rows.entries()) {
    // Escape first: the table measures the width of cells.
    const cells = row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : escapeControls(cell)));
    formatted.push(hasTotals && index === rows.length - 1 ? cells.map(bold) : cells);
  }
  return formatted
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
