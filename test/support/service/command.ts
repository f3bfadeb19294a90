import type { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { runCommand } from '../../../src/operator/program.js';

/** Output and exit status of a command. */
export interface CommandOutcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Database of a command; `folder` is the data folder of its service. */
interface Place {
  readonly url: string;
  readonly folder?: string;
}

/** Runs a command in this process, with its own connections, on the database of the test. */
export async function runInProcess(database: Place, ...args: readonly string[]): Promise<CommandOutcome> {
  let out = '';
  let err = '';
  const catchOut = jest.spyOn(process.stdout, 'write').mockImplementation(writer((text) => (out += text)));
  const catchErr = jest.spyOn(process.stderr, 'write').mockImplementation(writer((text) => (err += text)));
  const emitters: readonly (readonly [EventEmitter, string])[] = [
    [process.stdout, 'error'],
    [process, 'SIGINT'],
    [process, 'SIGTERM'],
  ];
  const before = emitters.map(([emitter, event]) => emitter.listeners(event));
  const { DATABASE_URL, DATA_DIR } = process.env;
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: database.folder ?? '' });
  try {
    return { status: await runCommand(['node', 'creator-data', ...args]), out, err };
  } finally {
    Object.assign(process.env, { DATABASE_URL: DATABASE_URL ?? '', DATA_DIR: DATA_DIR ?? '' });
    // The listeners would normally end with the process of the command.
    for (const [index, [emitter, event]] of emitters.entries()) {
      for (const listener of emitter.listeners(event)) {
        if (!before[index]?.includes(listener)) emitter.off(event, listener as () => void);
      }
    }
    catchOut.mockRestore();
    catchErr.mockRestore();
  }
}

/** Returns what takes the place of a stream's `write`. @param keep gets the text */
const writer =
  (keep: (text: string) => void): typeof process.stdout.write =>
  (text, ...more: unknown[]) => {
    keep(String(text));
    for (const done of more) if (typeof done === 'function') process.nextTick(done);
    return true;
  };

/** Leaves out the lines that a long import prints while it runs. */
export const withoutProgress = (err: string): string => err.replaceAll(/^.*: [\d,]+ loaded, .*\n/gm, '');

/** Runs a command that must succeed. @returns its `--json` output */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
export async function runForJson(database: Place, ...args: readonly string[]): Promise<any> {
  const { status, out, err } = await runInProcess(database, ...args, '--json');
  if (status !== 0) throw new Error(`${args.join(' ')}: ${status} ${err}`);
  return JSON.parse(out);
}
