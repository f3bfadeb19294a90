/** Exit statuses of the operator's commands. */
export const DONE = 0;
export const FAILED = 1;
export const SOMETHING_REJECTED = 2;

/** What a command says: for machines on standard output, for people on standard error, unless it is the very result. */
export class Output {
  constructor(private readonly json: boolean) {}

  /** The result, as JSON with `--json`, otherwise as the given text. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }
}

/** A table with aligned columns: the first left, numbers right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)),
  );
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
