// @ts-check
/**
 * The database server of a run: one of the bench's own, started with the buffer pool that is asked for and nothing else
 * set. A pool raised while the server runs would keep a hash table of its first size (MariaDB 10.11): its chains then take a
 * third of every look-up. `BENCH_DATABASE_URL` names another server instead, which is taken as it is.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { WORK_FOLDER } from './processes.mjs';

const PORT = 3316;
const FOLDER = `${WORK_FOLDER}mariadb/`;
const START_MS = 60_000;
const GIVEN = process.env['BENCH_DATABASE_URL'];

/** Where the server is; the databases inside it have names of their own. */
export const SERVER_URL = GIVEN ?? `mysql://root@127.0.0.1:${PORT}`;

/** @type {import('node:child_process').ChildProcess | undefined} */
let own;

/**
 * Starts the server, whose data stays for the next run.
 * @param {string} bufferPool as MariaDB writes it: "4G"
 * @returns {Promise<{ note: string, stop: () => Promise<void> }>} what to say of it in a report
 */
export async function startDatabase(bufferPool) {
  if (GIVEN) return { note: await describe(), stop: async () => undefined };
  if (spawnSync('mariadbd', ['--version']).error)
    throw new Error('mariadbd is not installed: install it, or name a server by BENCH_DATABASE_URL');
  if (!existsSync(`${FOLDER}mysql`)) install();
  const log = openSync(`${WORK_FOLDER}mariadb.log`, 'w');
  const server = spawn('mariadbd', [...options(), `--port=${PORT}`, `--innodb-buffer-pool-size=${bufferPool}`], {
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  own = server;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  process.once('exit', () => server.kill());
  process.once('SIGINT', () => process.exit(130));
  const stop = async () => {
    server.kill();
    await ended;
  };
  for (const started = performance.now(); !(await answers()); await sleep(100)) {
    if (server.exitCode === null && performance.now() - started < START_MS) continue;
    await stop();
    throw new Error(`mariadbd did not start:\n${readFileSync(`${WORK_FOLDER}mariadb.log`, 'utf8').slice(-2_000)}`);
  }
  return { note: await describe(), stop };
}

const options = () => [
  '--no-defaults',
  `--datadir=${FOLDER}`,
  `--socket=${FOLDER}socket`,
  '--bind-address=127.0.0.1',
  `--user=${userInfo().username}`,
];

function install() {
  const { status, stderr, error } = spawnSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${FOLDER}`,
      `--user=${userInfo().username}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${error ?? stderr}`);
}

const answers = () =>
  mysql.createConnection({ uri: SERVER_URL }).then(
    (connection) => connection.end().then(() => true),
    () => false,
  );

async function describe() {
  const connection = await mysql.createConnection({ uri: SERVER_URL });
  const [rows] = await connection.query('SELECT VERSION() AS version, @@innodb_buffer_pool_size AS size');
  await connection.end();
  const { version, size } = /** @type {any} */ (rows)[0];
  return `${version}, buffer pool ${Math.round(size / 2 ** 20)} MiB`;
}

/** The server's process when it runs on this machine: its CPU time is the other half of a request's cost. */
export function databaseProcess() {
  if (own) return own.pid;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const name = readFileSync(`/proc/${entry}/comm`, 'utf8').trim();
      if (name === 'mariadbd' || name === 'mysqld') return Number(entry);
    } catch {
      // The process ended between the two looks.
    }
  }
  return undefined;
}
