// @ts-check
/**
 * Starts a database server for a run, with only the size of the buffer pool set. The size must be set at the start: a pool
 * that grows later keeps a hash table of its first size (MariaDB 10.11), whose long chains take a third of every look-up.
 * `BENCH_DATABASE_URL` selects another server, which is used unchanged.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { WORK_FOLDER } from './processes.mjs';

const PORT = 3316;
const FOLDER = `${WORK_FOLDER}mariadb`;
const LOG = `${FOLDER}.log`;
const START_MS = 60_000;
const STOP_MS = 60_000;
const GIVEN = process.env['BENCH_DATABASE_URL'];

/** URL of the server, without a database. */
export const SERVER_URL = GIVEN ?? `mysql://root@127.0.0.1:${PORT}`;

/** @type {import('node:child_process').ChildProcess | undefined} */
let own;
/** @type {number | undefined} */
let givenPid;

/**
 * Starts the server. Its data stays for the next run.
 * @param {string} bufferPool as MariaDB writes it: "4G"
 * @param {readonly string[]} engines engines of the run; the server starts only for `mysql`
 * @returns {Promise<{ note: string, stop: () => Promise<void> }>} `note` is for the report
 */
export async function startDatabase(bufferPool, engines = ['mysql']) {
  if (!engines.includes('mysql')) return { note: 'No MySQL', stop: async () => undefined };
  if (GIVEN) {
    givenPid = await findProcess();
    const unknown = givenPid === undefined ? ', its CPU time not known' : '';
    return { note: (await describe()) + unknown, stop: async () => undefined };
  }
  if (spawnSync('mariadbd', ['--version']).error)
    throw new Error('mariadbd is not installed: install it, or name a server by BENCH_DATABASE_URL');
  // Otherwise the run would measure that server.
  if (await answers())
    throw new Error(`a server runs on port ${PORT} already: stop it, or name it by BENCH_DATABASE_URL`);
  if (!existsSync(FOLDER)) install();
  const log = openSync(LOG, 'w');
  const server = spawn(
    'mariadbd',
    [
      ...dataIn(FOLDER),
      `--socket=${FOLDER}/socket`,
      '--bind-address=127.0.0.1',
      `--port=${PORT}`,
      `--innodb-buffer-pool-size=${bufferPool}`,
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  own = server;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  process.once('exit', () => server.kill());
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => process.exit(1));
  }
  const stop = async () => {
    server.kill();
    const forced = setTimeout(() => server.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(forced);
  };
  for (const started = performance.now(); !(await answers()); await sleep(100)) {
    const runs = server.exitCode === null && server.signalCode === null;
    if (runs && performance.now() - started < START_MS) continue;
    if (runs) await stop();
    throw new Error(`mariadbd did not start:\n${readFileSync(LOG, 'utf8').slice(-2_000)}`);
  }
  return { note: await describe(), stop };
}

const dataIn = (/** @type {string} */ folder) => [
  '--no-defaults',
  `--datadir=${folder}`,
  `--user=${userInfo().username}`,
];

/** Creates the data folder, and moves it into place once it is complete. */
function install() {
  const unfinished = `${FOLDER}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const { status, stderr, error } = spawnSync(
    'mariadb-install-db',
    [...dataIn(unfinished), '--auth-root-authentication-method=normal', '--skip-test-db'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${error ?? stderr}`);
  renameSync(unfinished, FOLDER);
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

/** Finds the server's process, for its share of a request's CPU time; undefined on another machine. */
export const databaseProcess = () => own?.pid ?? givenPid;

/** Asks the server for its process ID, because several servers may run here. */
async function findProcess() {
  const connection = await mysql.createConnection({ uri: SERVER_URL });
  const [rows] = await connection.query('SELECT @@datadir AS folder, @@pid_file AS file');
  await connection.end();
  const { folder, file } = /** @type {any} */ (rows)[0];
  try {
    const pid = Number(readFileSync(resolve(folder, file), 'utf8'));
    return /^(mariadbd|mysqld)$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ? pid : undefined;
  } catch {
    return undefined; // on another machine, or not readable
  }
}
