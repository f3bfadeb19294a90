// @ts-check
// Runs a cluster on one machine, for trials and tests: three Galera nodes, Redis with a replica and three Sentinels, three
// service processes, and HAProxy. All files are in one folder.
//
//   node deploy/local/cluster.mjs start [MEMBER] [--dir data/cluster] [--port 21000]
//   node deploy/local/cluster.mjs stop [MEMBER] [--dir data/cluster] [--signal SIGKILL]
//   node deploy/local/cluster.mjs status [--dir data/cluster]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { galeraMembers } from './galera.mjs';
import { haproxyMember } from './haproxy.mjs';
import { ports } from './ports.mjs';
import { redisMembers } from './redis.mjs';
import { serviceMembers } from './services.mjs';

/**
 * A process of the cluster. `prepare` creates its files; `isReady` checks whether it serves.
 * @typedef {{ name: string, command: string, args: readonly string[], env?: Record<string, string>, cwd?: string,
 *   prepare?: () => Promise<readonly string[] | void>, isReady: () => Promise<boolean> }} Member
 */

const START_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 20_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dir: { type: 'string', default: 'data/cluster' },
    port: { type: 'string', default: '21000' },
    signal: { type: 'string', default: 'SIGTERM' },
  },
});
const folder = resolve(values.dir);
const [action, only] = positionals;
mkdirSync(folder, { recursive: true });

const at = ports(keptPort());
/** @type {readonly Member[]} Members in start order. */
const members = [
  ...galeraMembers(folder, at),
  ...redisMembers(folder, at),
  haproxyMember(folder, at),
  ...serviceMembers(folder, at),
];

if (action === 'start') await start();
else if (action === 'stop') await stop();
else if (action === 'status') status();
else {
  console.error('usage: cluster.mjs start|stop|status [MEMBER] [--dir FOLDER] [--port FIRST] [--signal NAME]');
  process.exitCode = 1;
}

async function start() {
  for (const member of chosen()) {
    if (pidOf(member) !== null) continue;
    const further = (await member.prepare?.()) ?? [];
    const log = openSync(join(folder, `${member.name}.log`), 'a');
    const child = spawn(member.command, [...member.args, ...further], {
      cwd: member.cwd ?? folder,
      env: { PATH: process.env.PATH, ...member.env },
      detached: true,
      stdio: ['ignore', log, log],
    });
    child.on('error', (error) => fail(member, error.message));
    if (child.pid !== undefined) writeFileSync(pidFile(member), String(child.pid));
    child.unref();
    await until(START_WITHIN_MS, async () => {
      if (pidOf(member) === null) fail(member, 'it ended');
      return member.isReady();
    }).catch(() => fail(member, `it does not serve after ${START_WITHIN_MS / 1000} s`));
    console.log(`${member.name} serves`);
  }
  if (only === undefined) console.log(`The API: http://127.0.0.1:${at.api}, its database: ${at.databaseUrl}`);
}

async function stop() {
  for (const member of chosen().toReversed()) {
    const pid = pidOf(member);
    if (pid === null) continue;
    process.kill(pid, /** @type {NodeJS.Signals} */ (values.signal));
    await until(STOP_WITHIN_MS, async () => pidOf(member) === null).catch(() => process.kill(pid, 'SIGKILL'));
    rmSync(pidFile(member), { force: true });
    console.log(`${member.name} stopped`);
  }
}

function status() {
  for (const member of members) console.log(`${member.name.padEnd(14)}${pidOf(member) ?? 'stopped'}`);
}

function chosen() {
  const found = members.filter(({ name }) => only === undefined || name === only);
  if (found.length === 0) throw new Error(`no member ${only}: ${members.map(({ name }) => name).join(', ')}`);
  return found;
}

/** First port of the folder's cluster. */
function keptPort() {
  const file = join(folder, 'port');
  if (!existsSync(file)) writeFileSync(file, values.port);
  return Number(readFileSync(file, 'utf8'));
}

/** @param {Member} member */
function pidFile(member) {
  return join(folder, `${member.name}.pid`);
}

/** @param {Member} member @returns {number | null} null if it does not run */
function pidOf(member) {
  if (!existsSync(pidFile(member))) return null;
  const pid = Number(readFileSync(pidFile(member), 'utf8'));
  try {
    // An ended child that has not been reaped still has its process ID.
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) ? null : pid;
  } catch {
    return null;
  }
}

/** @param {Member} member @param {string} why @returns {never} */
function fail(member, why) {
  console.error(`${member.name}: ${why}; its last words are in ${join(folder, `${member.name}.log`)}`);
  process.exit(1);
}

/** @param {number} ms @param {() => Promise<boolean>} holds */
async function until(ms, holds) {
  for (const startedAt = performance.now(); !(await holds()); await delay(100)) {
    if (performance.now() - startedAt > ms) throw new Error('not in time');
  }
}
