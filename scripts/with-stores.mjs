// @ts-check
// Runs a command with MariaDB and Redis to test with: those that respond, or new ones, which stop at the end.
// TEST_MYSQL_URL=none and TEST_REDIS_URL=none always start new ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './prepare.mjs';
import { findStores, startMariadb, startRedis } from './stores.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error('Usage: node scripts/with-stores.mjs COMMAND [ARGUMENT...]');
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'creator-data-stores-'));
/** @type {import('./stores.mjs').OwnStore[]} */
const own = [];
/** @type {import('node:child_process').ChildProcess | undefined} */
let child;
/** @type {NodeJS.Signals | null} */
let interrupted = null;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = signal;
    child?.kill(signal);
  });
}
process.on('exit', () => {
  for (const store of own) store.kill();
  rmSync(folder, { recursive: true, force: true });
});

const stores = await findStores(process.env);
if (stores.TEST_MYSQL_URL === '') stores.TEST_MYSQL_URL = await started('MariaDB', startMariadb);
if (stores.TEST_REDIS_URL === '') stores.TEST_REDIS_URL = await started('Redis', startRedis);
const status = interrupted === null ? await run(program) : 1;
await Promise.all(own.map((store) => store.stop()));
process.exit(interrupted === null ? status : 128 + constants.signals[interrupted]);

/** @param {string} name @param {(folder: string) => Promise<import('./stores.mjs').OwnStore>} start */
async function started(name, start) {
  const store = await start(join(folder, name));
  own.push(store);
  console.error(`Started ${name} at ${store.url}`);
  return store.url;
}

/** @param {string} command @returns {Promise<number>} its exit status */
async function run(command) {
  child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...stores }, stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}
