// @ts-check
/** Starts and stops the servers under test, and reads their CPU time and memory from /proc (Linux). */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Folder for everything except results: logs, request lists, installed servers, embedded databases. */
export const WORK_FOLDER = fileURLToPath(new URL('.data/', import.meta.url));
export const PROJECT_FOLDER = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(WORK_FOLDER, { recursive: true });

/**
 * @typedef {{ name: string, command: string, args: string[], env?: Record<string, string>, port: number,
 *   cwd?: string, ready?: string, patienceMs?: number }} Command the server runs once it responds to the path `ready`
 * @typedef {{ name: string, pid: number, origin: string, startMs: number, stop(): Promise<void> }} RunningServer
 */

/** Starts a server and waits for its first response. @returns {Promise<RunningServer>} */
export async function startServer(
  /** @type {Command} */ { name, command, args, env = {}, port, cwd, ready = '/', patienceMs = 60_000 },
) {
  const log = `${WORK_FOLDER}${name}.log`;
  const file = openSync(log, 'w');
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: cwd ?? PROJECT_FOLDER,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    if (await answers(origin + ready)) break;
    if (child.exitCode !== null || performance.now() - started > patienceMs) {
      child.kill();
      throw new Error(`${name} did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`);
    }
    await sleep(10);
  }
  return {
    name,
    pid: /** @type {number} */ (child.pid),
    origin,
    startMs: performance.now() - started,
    stop: async () => {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(forced);
    },
  };
}

const answers = (/** @type {string} */ url) =>
  fetch(url).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  );

/** Runs a command with `input` on its standard input, and returns its standard output. */
export async function run(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {{ env?: Record<string, string>, input?: Iterable<Buffer>, cwd?: string }} */ {
    env = {},
    input,
    cwd = PROJECT_FOLDER,
  } = {},
) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-4_000)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  if (input && child.stdin) {
    child.stdin.on('error', () => undefined); // ended early; the exit status is checked below
    for (const piece of input) {
      if (child.exitCode !== null) break;
      if (!child.stdin.write(piece))
        await Promise.race([new Promise((resolve) => child.stdin?.once('drain', resolve)), ended]);
    }
    child.stdin.end();
  }
  const status = await ended;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${errors || output}`);
  return output;
}

/** Lists a process and all its descendants. */
function family(/** @type {number} */ pid) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const entry of readdirSync('/proc')) {
    const parent = /^\d+$/.test(entry) ? Number(statFields(Number(entry))[1]) : 0;
    if (parent) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const all = [pid];
  for (let at = 0; at < all.length; at++) all.push(...(children.get(/** @type {number} */ (all[at])) ?? []));
  return all;
}

/** Reads /proc/PID/stat from field 3 on. Field 2, the name, may contain spaces. */
function statFields(/** @type {number} */ pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return []; // ended
  }
}

const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the user and system time of a process and its children, in microseconds. */
export function cpuUs(/** @type {number} */ pid) {
  return family(pid).reduce((sum, member) => {
    const fields = statFields(member);
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_US;
  }, 0);
}

/** Returns the resident memory of a process and its children, in MiB. */
export const memoryMib = (/** @type {number} */ pid) => statusMib(pid, 'VmRSS');

/** Sums the peak resident memory of a process and its children since their starts, in MiB. */
export const peakMemoryMib = (/** @type {number} */ pid) => statusMib(pid, 'VmHWM');

function statusMib(/** @type {number} */ pid, /** @type {string} */ field) {
  return family(pid).reduce((sum, member) => {
    try {
      const status = readFileSync(`/proc/${member}/status`, 'utf8');
      return sum + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return sum; // ended
    }
  }, 0);
}
