// @ts-check
/**
 * The service itself, with everything switched on: key, limit (too high to be reached) and durable usage records. Like an
 * operator, it loads data and creates a key by the command line. Needs a build in `dist/`.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATA_VERSION, PLATFORM, REFERENCED_GAMES, lines } from '../data.mjs';
import { apiRequests, wrongWith } from '../loads.mjs';
import { analyze, connect, databaseUrl, loadedSizes, drop } from '../mariadb.mjs';
import { PROJECT_FOLDER, WORK_FOLDER, run, startServer } from '../processes.mjs';

/** @import { Target } from './index.mjs' */

export const DATABASE = 'bench_ours';
const HIGHEST_LIMIT = '100000000';

/** Returns the service's settings. `name` separates benches that need their own data. */
export const settings = (/** @type {'mysql' | 'sqlite'} */ engine, name = DATABASE) => ({
  DATABASE_URL: engine === 'mysql' ? databaseUrl(name) : `sqlite:${sqliteFile(name)}`,
  RATE_LIMIT_PER_MINUTE: HIGHEST_LIMIT,
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
});

const PROGRAM = { bundled: 'dist/bundle/main.mjs', compiled: 'dist/src/main.js' };
const PAGES = 'src/server/pages/assets';
const UNRECORDED = 'bench/servers/ours-without-record.mjs';

export const sqliteFile = (/** @type {string} */ name) => `${WORK_FOLDER}${name}.sqlite`;

/** Removes the data of a bench. */
export async function removeStore(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {string} */ name) {
  if (engine === 'mysql') await drop(name);
  for (const file of [sqliteFile(name), sqliteFile(`${name}-usage`)]) {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  }
}

/** Creates an empty database, without tables. @returns the settings of the service on it */
export async function createStore(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {string} */ name) {
  await removeStore(engine, name);
  if (engine === 'mysql') await (await connect(name)).end();
  return settings(engine, name);
}

const { scripts } = JSON.parse(readFileSync(`${PROJECT_FOLDER}package.json`, 'utf8'));

/** Node's arguments for an operator's command, as in `npm run cli`. */
export const CLI = /** @type {string[]} */ (scripts.cli.split(' ').slice(1));

/** Runs an operator's command. */
export function cli(
  /** @type {string[]} */ args,
  /** @type {Record<string, string>} */ env,
  /** @type {Iterable<Buffer> | undefined} */ input = undefined,
) {
  if (!existsSync(`${PROJECT_FOLDER}dist/bundle/cli.mjs`)) throw new Error('dist/ is missing: npm run build first');
  return run('node', [...CLI, ...args], { env, ...(input && { input }) });
}

/** Waits for the search index, whose first build takes CPU time. A build without search does not answer 503. */
export async function untilIndexed(/** @type {string} */ origin, /** @type {Record<string, string>} */ headers) {
  const search = () =>
    fetch(`${origin}/platforms/${PLATFORM}/profiles/search`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"limit":1}',
    });
  while ((await search()).status === 503) await sleep(1000);
}

/** Creates a key with limits that are never reached. @param hasAllowance whether it has a month allowance */
export async function createKey(/** @type {Record<string, string>} */ env, hasAllowance = false) {
  const allowance = hasAllowance ? ['--month-units', '1000000000000'] : [];
  const limits = ['--rate-limit', HIGHEST_LIMIT, ...allowance];
  const created = await cli(['keys', 'create', '--name', 'bench', ...limits, '--json'], env);
  return String(JSON.parse(created).key);
}

/**
 * @param {'mysql' | 'sqlite'} engine
 * @param {boolean} recorded false for the service without usage records
 * @param {boolean} bundled false for the compiled files, to compare with a server that is not bundled either
 * @param {Record<string, string>} more further settings
 * @returns {Target}
 */
export function ours(engine, name = DATABASE, recorded = true, bundled = recorded, more = {}) {
  const env = { ...settings(engine, name), ...more };
  const port = (engine === 'mysql' ? 4010 : 4011) + (recorded ? 0 : 2);
  const title = engine === 'mysql' ? 'ours' : 'ours, embedded database';
  /** @type {Target} */
  const target = {
    name: `ours${engine === 'mysql' ? '' : '-sqlite'}${recorded ? '' : '-unrecorded'}${recorded && !bundled ? '-compiled' : ''}`,
    title: recorded ? title : `${title}, without the usage record`,
    headers: {},
    prepare: async (sizes, say) => {
      await prepareService(engine, { games: REFERENCED_GAMES, ...sizes }, say, name);
      target.headers['x-api-key'] = await createKey(env);
    },
    start: () => {
      // The service reads its pages from the folder of the compiled file, where only the bundler puts them.
      if (!bundled) cpSync(`${PROJECT_FOLDER}${PAGES}`, `${PROJECT_FOLDER}dist/${PAGES}`, { recursive: true });
      return startServer({
        name: target.name,
        command: 'node',
        args: [recorded ? PROGRAM[bundled ? 'bundled' : 'compiled'] : UNRECORDED],
        env: { ...env, PORT: String(port) },
        port,
        ready: '/health',
      });
    },
    requests: apiRequests,
    wrongWith,
  };
  return target;
}

/**
 * Migrates, and imports the records that earlier runs have not. Starts over if there are too many.
 * @param {'mysql' | 'sqlite'} engine @param {{ games: number, profiles: number, content: number }} sizes
 * @param {(text: string) => void} say
 */
export async function prepareService(engine, sizes, say, name = DATABASE) {
  const env = settings(engine, name);
  const basis = `:${sizes.profiles}`;
  const open = () => (engine === 'mysql' ? stateInDatabase(name, basis) : stateBesideFile(name, basis));
  const kinds = /** @type {const} */ (['games', 'profiles', 'content']);
  let state = await open();
  if (kinds.some((kind) => state.size(kind) > sizes[kind]) || (state.size('profiles') === 0 && state.any)) {
    await state.drop();
    state = await open();
  }
  await cli(['migrate'], env);
  for (const kind of kinds) {
    const from = state.size(kind);
    if (from === sizes[kind]) continue;
    const started = performance.now();
    await cli(['import', kind, '-'], env, lines(kind, from, sizes[kind], sizes.profiles));
    await state.record(kind, sizes[kind]);
    const seconds = (performance.now() - started) / 1000;
    say(
      `${engine} import ${kind}: ${sizes[kind] - from} records in ${seconds.toFixed(1)} s (${Math.round((sizes[kind] - from) / seconds)}/s)`,
    );
  }
  await state.close();
}

async function stateInDatabase(/** @type {string} */ name, /** @type {string} */ basis) {
  const connection = await connect(name);
  const state = await loadedSizes(connection, basis);
  const [tables] = await connection.query('SHOW TABLES');
  const names = /** @type {object[]} */ (tables).map((row) => String(Object.values(row)[0]));
  return {
    ...state,
    any: names.length > 1,
    drop: async () => {
      await connection.end();
      await drop(name);
    },
    close: async () => {
      const [now] = await connection.query('SHOW TABLES');
      // Only the statistics that are updated in operation anyway: the service must be fast without a careful operator.
      const tables = /** @type {object[]} */ (now).map((row) => `\`${Object.values(row)[0]}\``);
      await analyze(connection, tables, { exact: false });
      await connection.end();
    },
  };
}

/** Stores how much is loaded in a file beside the embedded database, which only the service may write to. */
async function stateBesideFile(/** @type {string} */ name, /** @type {string} */ basis) {
  mkdirSync(WORK_FOLDER, { recursive: true });
  const file = sqliteFile(name);
  const note = `${file}.json`;
  const version = `${DATA_VERSION}${basis}`;
  const known = existsSync(note) && existsSync(file) ? JSON.parse(readFileSync(note, 'utf8')) : {};
  /** @type {Record<string, number>} */
  const sizes = known.version === version ? known.sizes : {};
  return {
    any: existsSync(file),
    size: (/** @type {string} */ part) => sizes[part] ?? 0,
    record: async (/** @type {string} */ part, /** @type {number} */ size) => {
      sizes[part] = size;
      writeFileSync(note, JSON.stringify({ version, sizes }));
    },
    drop: async () => {
      const usage = sqliteFile(`${name}-usage`);
      for (const path of [note, ...[file, usage].flatMap((base) => [base, `${base}-wal`, `${base}-shm`])])
        rmSync(path, { force: true });
    },
    close: async () => undefined,
  };
}
