import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import { freePort } from '../stores/free-port.js';
import { httpRequest } from '../http/request.js';
import { until } from '../until.js';

const START_WITHIN_MS = 120_000;

/** Requests in flight take up to 5 s, and stopping a worker another 5 s. */
const GONE_WITHIN_MS = 45_000;

/** Running trees. They are killed at the end of the test file, because a failed test does not stop them. */
const started = new Set<ProcessTree>();
afterAll(() => {
  for (const tree of started) tree.kill();
});

/** A service and the processes that started it, in their own process group, as under a terminal or a supervisor. */
export class ProcessTree {
  out = '';
  err = '';
  readonly #ended: Promise<[status: number | null, signal: NodeJS.Signals | null]>;

  private constructor(
    private readonly first: ChildProcess,
    readonly origin: string,
  ) {
    started.add(this);
    first.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    first.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.#ended = once(first, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  }

  /** Starts a command on a free port with only these settings, none of this machine. */
  static async start(
    [program = '', ...args]: readonly string[],
    settings: Readonly<Record<string, string>>,
    cwd: string,
  ): Promise<ProcessTree> {
    const port = await freePort();
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', PORT: String(port), ...settings };
    const first = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    return new ProcessTree(first, `http://127.0.0.1:${port}`);
  }

  /** Resolves when this number of processes serve. */
  async serving(processes = 1): Promise<void> {
    await this.printed('"serving"', processes);
  }

  async printed(text: string, times = 1): Promise<void> {
    await until(
      `it prints ${text}`,
      () => {
        // A process that is just being replaced by `exec` has no environment, so `pids` may be empty meanwhile.
        const hasEnded = this.first.exitCode !== null || this.first.signalCode !== null;
        if (hasEnded && this.pids().length === 0) throw new Error(`it ended: ${this.err}`);
        return (this.out + this.err).split(text).length > times;
      },
      START_WITHIN_MS,
    );
  }

  /** Lists the running processes of the tree, in any session. They are found by the port in their environment. */
  pids(): number[] {
    const setting = `PORT=${new URL(this.origin).port}`;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(setting))
      .map(Number);
  }

  /** Sends a signal. @param whom `first` as a supervisor does, or `group` as a terminal does */
  signal(name: NodeJS.Signals, whom: 'first' | 'group' = 'first'): void {
    process.kill(Number(this.first.pid) * (whom === 'first' ? 1 : -1), name);
  }

  /** Waits until the first process has ended. @returns its exit status, or the signal that ended it */
  async ended(): Promise<number | NodeJS.Signals | null> {
    const [status, signal] = await this.#ended;
    return status ?? signal;
  }

  /** Waits until all processes have ended. @returns whether the port is free too */
  async gone(): Promise<boolean> {
    await until('all of it is gone', () => this.pids().length === 0, GONE_WITHIN_MS);
    started.delete(this);
    return httpRequest(this.origin, '/health/live').then(
      () => false,
      () => true,
    );
  }

  kill(): void {
    for (const pid of this.pids()) process.kill(pid, 'SIGKILL');
  }
}

/** Returns the environment of a process; empty if it has ended or belongs to another user. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
