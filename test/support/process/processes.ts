import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from '@jest/globals';
import { ROOT } from '../files/project-root.js';
import { buildOnce } from './build.js';
import { recordingSettings } from '../sql/sql-list.js';
import { until } from '../until.js';

/** Maximum time until a process prints what a test waits for. */
const PRINT_WITHIN_MS = 90_000;

type Settings = Readonly<Record<string, string>>;

/** Running processes, killed after the tests of a file. */
const running = new Set<ChildProcess>();
/** Data folder of services over a database server; the embedded database has its own. */
export const dataFolder = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Output and exit status of a process; the status is null when a signal ended it. */
export interface ProcessResult {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A process of the built program. */
export class BuiltProcess {
  out = '';
  err = '';
  readonly ended: Promise<ProcessResult>;

  protected constructor(readonly child: ChildProcess) {
    running.add(child);
    child.once('exit', () => running.delete(child));
    // The process may exit before it has read its input.
    child.stdin?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = once(child, 'close').then(([status]) => ({
      status: status as number | null,
      out: this.out,
      err: this.err,
    }));
  }

  /** Starts `node dist/bundle/FILE` with only these settings. @param root of the program */
  static async start(
    file: 'main.mjs' | 'cli.mjs',
    args: readonly string[],
    settings: Settings,
    cwd = ROOT,
    stdin: 'pipe' | number = 'pipe',
    root = ROOT,
  ): Promise<BuiltProcess> {
    await buildOnce();
    const env = { PATH: process.env.PATH, ...recordingSettings(settings.DATABASE_URL), ...settings };
    const program = [join(root, 'dist/bundle', file), ...args];
    return new BuiltProcess(spawn(process.execPath, program, { env, cwd, stdio: [stdin, 'pipe', 'pipe'] }));
  }

  /** Resolves with the first match in the standard output. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    let match: RegExpExecArray | null = null;
    let isOver = false;
    void this.ended.then(() => (isOver = true));
    await until(
      `it prints ${pattern.source}`,
      () => (match = pattern.exec(this.out)) !== null || isOver,
      PRINT_WITHIN_MS,
    );
    if (match === null) throw new Error(`the process ended without printing ${pattern.source}: ${this.err}`);
    return match;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Kills one of the workers. */
  signalWorker(name: NodeJS.Signals): void {
    const [worker] = this.#children();
    if (worker === undefined) throw new Error('the process has no worker');
    process.kill(worker, name);
  }

  /** Sends a signal to all workers. */
  signalWorkers(name: NodeJS.Signals): void {
    for (const worker of this.#children()) process.kill(worker, name);
  }

  /** Returns the peak memory of the process or any of its workers, in MiB. */
  peakMib(): number {
    return Math.max(...[Number(this.child.pid), ...this.#children()].map((pid) => memoryMib(pid, 'VmHWM')));
  }

  /** Lists the child processes; `ps` fails when there is none. */
  #children(): number[] {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(this.child.pid)], { encoding: 'utf8' });
    return stdout
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
  }
}

/** Reads the memory of a process. @param field `VmRSS` for current memory, `VmHWM` for the peak */
export function memoryMib(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

/** Maximum time until a stopped service exits, before the test kills it. */
const STOP_WITHIN_MS = 45_000;

/** The built service on a free port. */
export class ServiceProcess {
  private constructor(
    readonly process: BuiltProcess,
    readonly origin: string,
  ) {}

  /** Starts the service. @param root folder of another version */
  static async start(settings: Settings, root = ROOT): Promise<ServiceProcess> {
    const all = {
      HOST: '127.0.0.1',
      PORT: '0',
      ...(settings.DATABASE_URL?.startsWith('mysql:') ? { DATA_DIR: dataFolder } : {}),
      ...settings,
    };
    const started = await BuiltProcess.start('main.mjs', [], all, root, 'pipe', root);
    try {
      const [, origin = ''] = await started.printed(/"address":"([^"]+)"/);
      return new ServiceProcess(started, origin);
    } catch (error) {
      started.signal('SIGKILL');
      throw error;
    }
  }

  /** Stops the service with a signal, as an operator does. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessResult> {
    this.process.signal(signal);
    const inTime = new AbortController();
    const late = delay(STOP_WITHIN_MS, undefined, { signal: inTime.signal }).then(
      () => this.process.signal('SIGKILL'),
      () => undefined,
    );
    const ended = await this.process.ended;
    inTime.abort();
    await late;
    return ended;
  }
}

/** Starts the service on a free port, which must end by itself. @throws Error with what it printed, if it does not */
export async function failedStart(settings: Settings): Promise<ProcessResult> {
  const started = await BuiltProcess.start('main.mjs', [], { HOST: '127.0.0.1', PORT: '0', ...settings });
  let result: ProcessResult | null = null;
  void started.ended.then((ended) => (result = ended));
  try {
    await until('a failed start ends', () => result !== null, PRINT_WITHIN_MS);
  } catch (error) {
    const threads = spawnSync('sh', ['-c', `cat /proc/${started.child.pid}/task/*/wchan`], { encoding: 'utf8' }).stdout;
    throw new Error(`it goes on (${threads}), and printed: ${started.out}${started.err}`, { cause: error });
  }
  return started.ended;
}

/** Runs a command of the built program. */
export async function runBuiltCommand(
  args: readonly string[],
  settings: Settings = {},
  input: string | Buffer = '',
  cwd = ROOT,
  root = ROOT,
): Promise<ProcessResult> {
  const command = await BuiltProcess.start('cli.mjs', args, settings, cwd, 'pipe', root);
  command.child.stdin?.end(input);
  return command.ended;
}
