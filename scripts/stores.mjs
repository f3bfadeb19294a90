// @ts-check
// Stores to test with: those of this machine, or ones that are started for a run.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';

const STANDARD = { TEST_MYSQL_URL: 'mysql://root@127.0.0.1:3306', TEST_REDIS_URL: 'redis://127.0.0.1:6379' };
const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;

/**
 * Addresses of the stores to test with; '' for none.
 * @typedef {{ TEST_MYSQL_URL: string, TEST_REDIS_URL: string }} Stores
 */

/**
 * Finds the stores in TEST_MYSQL_URL and TEST_REDIS_URL, or those that respond on the standard ports. "none" skips a store.
 * @param {Readonly<Record<string, string | undefined>>} settings
 * @returns {Promise<Stores>}
 * @throws if a given store does not respond
 */
export async function findStores(settings) {
  return {
    TEST_MYSQL_URL: await find(settings.TEST_MYSQL_URL, STANDARD.TEST_MYSQL_URL, pingMysql),
    TEST_REDIS_URL: await find(settings.TEST_REDIS_URL, STANDARD.TEST_REDIS_URL, pingRedis),
  };
}

/** Describes the missing stores, one line each. @param {Stores} stores */
export function linesAboutStores(stores) {
  const lines = [];
  if (stores.TEST_MYSQL_URL === '')
    lines.push('Left out: MySQL (set TEST_MYSQL_URL, or have one on 127.0.0.1:3306 with root and no password)');
  if (stores.TEST_REDIS_URL === '') lines.push('Left out: Redis (set TEST_REDIS_URL, or have one on 127.0.0.1:6379)');
  return lines;
}

/**
 * @param {string | undefined} named
 * @param {string} standard
 * @param {(url: string) => Promise<void>} ping
 */
async function find(named, standard, ping) {
  if (named === 'none') return '';
  if (named !== undefined && named !== '') {
    await ping(named);
    return named;
  }
  return ping(standard).then(
    () => standard,
    () => '',
  );
}

/** @param {string} url */
async function pingMysql(url) {
  const connection = await createConnection({ uri: url, connectTimeout: 2000 });
  await connection.query('SELECT 1');
  await connection.end();
}

/** @param {string} url */
async function pingRedis(url) {
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 2000, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

/** Store that was started for a run. @typedef {{ url: string, kill: () => void, stop: () => Promise<void> }} OwnStore */

/** Starts MariaDB with its data in a folder. @param {string} folder @returns {Promise<OwnStore>} */
export async function startMariadb(folder) {
  const data = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--user=${userInfo().username}`];
  mkdirSync(folder, { recursive: true });
  const installation = [...data, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await promisify(execFile)('mariadb-install-db', installation);
  const port = await freePort();
  const place = ['--bind-address=127.0.0.1', `--port=${port}`, `--socket=${join(folder, 'socket')}`];
  const options = ['--skip-name-resolve', '--character-set-server=utf8mb4'];
  return start('mariadbd', [...data, ...place, ...options], folder, `mysql://root@127.0.0.1:${port}`, pingMysql);
}

/** Starts Redis without persistence. @param {string} folder @returns {Promise<OwnStore>} */
export async function startRedis(folder) {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder];
  return start('redis-server', args, folder, `redis://127.0.0.1:${port}`, pingRedis);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder of its log
 * @param {string} url
 * @param {(url: string) => Promise<void>} ping
 * @returns {Promise<OwnStore>}
 */
async function start(program, args, folder, url, ping) {
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  // In its own process group, so that Ctrl-C ends the tests first.
  const server = spawn(program, args, { stdio: ['ignore', output, output], detached: true });
  if (server.pid === undefined) throw (await once(server, 'error'))[0];
  const ended = once(server, 'exit');
  const kill = () => void server.kill('SIGKILL');
  const stop = async () => {
    server.kill('SIGTERM');
    const isStopped = await Promise.race([ended.then(() => true), delay(STOP_WITHIN_MS, false, { ref: false })]);
    if (!isStopped) kill();
    await ended;
  };
  const deadline = performance.now() + START_WITHIN_MS;
  while (!(await answers(ping, url))) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    if (!hasEnded && performance.now() < deadline) {
      await delay(50);
      continue;
    }
    if (!hasEnded) await stop();
    throw new Error(`${program} did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
  }
  return { url, kill, stop };
}

/** @param {(url: string) => Promise<void>} ping @param {string} url */
const answers = (ping, url) =>
  ping(url).then(
    () => true,
    () => false,
  );

/** @returns {Promise<number>} a free port of this machine */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
