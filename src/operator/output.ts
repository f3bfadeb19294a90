import type { Explained } from './explain-error.js';
import { colours, print } from './terminal.js';

/** Exit statuses of the operator's commands. */
export const DONE = 0;
export const FAILED = 1;
export const SOMETHING_REJECTED = 2;

/** What a command says: for machines on standard output, for people on standard error, unless it is the very result. */
export class Output {
  constructor(readonly json: boolean) {}

  /** The result, as JSON with `--json`, otherwise as the given lines: a line break within one is escaped. */
  result(value: unknown, lines: string | readonly string[]): void {
    if (this.json) process.stdout.write(`${JSON.stringify(value)}\n`);
    else print(process.stdout, lines);
  }

  say(line: string): void {
    print(process.stderr, line);
  }

  /** Why there is no result. */
  fail({ code, message }: Explained): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
    else this.say(colours(process.stderr).red(message));
  }
}
