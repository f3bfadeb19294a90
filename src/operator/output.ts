import type { ExplainedError } from './explain-error.js';
import { colours, escapeControls, printLines } from './terminal.js';

/** Exit statuses of the operator's commands. */
export const DONE = 0;
export const FAILED = 1;
export const SOMETHING_REJECTED = 2;

/** Output of a command: results go to standard output, messages to standard error. */
export class Output {
  constructor(readonly json: boolean) {}

  /** Prints the result: as JSON with `--json`, otherwise as lines. A line break within a line is escaped. */
  printResult(value: unknown, lines: string | readonly string[]): void {
    if (this.json) printJson(value);
    else printLines(process.stdout, lines);
  }

  /** Waits until standard output has taken the result. @throws Error if it cannot, such as on a full disk */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write('', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Prints a message to standard error. */
  printMessage(line: string): void {
    printLines(process.stderr, line);
  }

  /** Prints why there is no result. */
  printError({ code, message }: ExplainedError): void {
    if (this.json) printJson({ error: { code, message } });
    else this.printMessage(colours(process.stderr).red(message));
  }
}

/** JSON leaves some characters that a terminal executes, or that change the direction of text, as they are. */
function printJson(value: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value))}\n`);
}
