// @ts-check
/**
 * Directus over the same rows, with its defaults except for public read permission, and with telemetry, rate limiter and
 * cache switched off. It is installed on demand into the bench's work folder, which takes minutes.
 *
 * Directus ignores tables with a primary key of several columns, so its copies use the ID as primary key; the other
 * indexes are those of B. All data is of one platform, so responses are the same.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { PLATFORM, content, dayAt, gameId, indexOf, profileId } from '../data.mjs';
import { analyze, connect, databaseUrl, loadedSizes, drop } from '../mariadb.mjs';
import { WORK_FOLDER, run, startServer } from '../processes.mjs';
import { COLUMN_TABLES, DATABASE as SOURCE, prepareTables } from '../tables.mjs';

/** @import { Target } from './index.mjs' */

/** The newest version that runs on Node 20; later ones need 22. */
const VERSION = '11.3.5';
const DATABASE = 'bench_directus';
const PORT = 4004;
const FOLDER = `${WORK_FOLDER}directus/`;
const PROGRAM = `${FOLDER}node_modules/directus/cli.js`;
/** ID of the policy that every visitor has; it is the same in every installation. */
const PUBLIC_POLICY = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

/** @returns {Target} */
export const directus = () => ({
  name: 'directus',
  title: `Directus ${VERSION}`,
  headers: {},
  prepare: async (sizes, say) => {
    await prepareTables(COLUMN_TABLES, sizes, say);
    if (!existsSync(PROGRAM)) await install(say);
    await prepareDatabase(sizes, say);
  },
  start: () =>
    startServer({
      name: 'directus',
      command: 'node',
      args: [PROGRAM, 'start'],
      cwd: FOLDER,
      env: settings(),
      port: PORT,
      ready: '/server/ping',
    }),
  requests: async (asks) => asks.map(request),
  wrongWith,
});

async function install(/** @type {(text: string) => void} */ say) {
  say(`installing Directus ${VERSION} into ${FOLDER}: takes some minutes`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}package.json`, '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', `directus@${VERSION}`]);
}

function settings() {
  const url = new URL(databaseUrl(DATABASE));
  return {
    DB_CLIENT: 'mysql',
    DB_HOST: url.hostname,
    DB_PORT: url.port || '3306',
    DB_DATABASE: DATABASE,
    DB_USER: decodeURIComponent(url.username),
    DB_PASSWORD: decodeURIComponent(url.password),
    KEY: 'bench',
    SECRET: 'bench',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'bench-only',
    HOST: '127.0.0.1',
    PORT: String(PORT),
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    RATE_LIMITER_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
  };
}

/** Copies the rows, lets Directus create its own tables, and grants everyone read access. */
async function prepareDatabase(
  /** @type {import('../loads.mjs').Sizes} */ sizes,
  /** @type {(text: string) => void} */ say,
) {
  const basis = `:${sizes.profiles}:${sizes.content}`;
  let connection = await connect(DATABASE);
  let state = await loadedSizes(connection, basis);
  if (state.size('all') > 0) return connection.end();
  await connection.end();
  await drop(DATABASE);
  connection = await connect(DATABASE);
  state = await loadedSizes(connection, basis);
  say('copying the rows for Directus');
  for (const [table, id] of [
    ['bench_profiles', 'id'],
    ['bench_content', 'content_id'],
  ]) {
    await connection.query(`CREATE TABLE ${table} LIKE ${SOURCE}.${table}`);
    await connection.query(`ALTER TABLE ${table} DROP PRIMARY KEY, ADD PRIMARY KEY (${id})`);
    await connection.query(`INSERT INTO ${table} SELECT * FROM ${SOURCE}.${table}`);
  }
  await connection.query(
    `CREATE TABLE bench_game_content (link_id BIGINT AUTO_INCREMENT PRIMARY KEY,
      KEY by_game (platform, game_id, created_at, content_id)) AS SELECT * FROM ${SOURCE}.bench_game_content`,
  );
  await analyze(connection, [...COLUMN_TABLES]);
  await run('node', [PROGRAM, 'bootstrap'], { env: settings(), cwd: FOLDER });
  for (const table of COLUMN_TABLES) {
    await connection.query(
      "INSERT INTO directus_permissions (collection, action, permissions, fields, policy) VALUES (?, 'read', '{}', '*', ?)",
      [table, PUBLIC_POLICY],
    );
  }
  await connection.query(
    "INSERT INTO directus_relations (many_collection, many_field, one_collection) VALUES ('bench_game_content', 'content_id', 'bench_content')",
  );
  for (const field of ['categories', 'tags', 'chapters']) {
    await connection.query(
      "INSERT INTO directus_fields (collection, field, special) VALUES ('bench_content', ?, 'cast-json')",
      [field],
    );
  }
  await state.record('all', sizes.content);
  await connection.end();
}

/** Turns asks into requests for Directus. A filter by date selects the page, as with keyset paging. */
function request(/** @type {import('../loads.mjs').Ask} */ ask) {
  const get = (/** @type {string} */ path) => ({ method: /** @type {const} */ ('GET'), path });
  const order = `sort=-created_at,-content_id&filter[platform][_eq]=${PLATFORM}`;
  switch (ask.kind) {
    case 'profile':
      return get(`/items/bench_profiles/${profileId(ask.index)}`);
    case 'item':
      return get(`/items/bench_content/${ask.id}`);
    case 'list': {
      const before = ask.share > 0 ? `&filter[created_at][_lte]=${dayAt(ask.share)}T23:59:59` : '';
      return get(`/items/bench_content?limit=${ask.limit}&${order}${before}`);
    }
    case 'game':
      return get(
        `/items/bench_game_content?fields=content_id.*&limit=${ask.limit}&${order}&filter[game_id][_eq]=${gameId(ask.game)}`,
      );
    case 'profiles': {
      const ids = ask.indexes.map(profileId);
      const body = JSON.stringify({ query: { limit: ids.length, filter: { id: { _in: ids } } } });
      return { method: /** @type {const} */ ('SEARCH'), path: '/items/bench_profiles', body };
    }
  }
}

/** Its fields are the tables', so only what was asked for and how much of it is checked. @type {Target['wrongWith']} */
function wrongWith(ask, body, sizes) {
  const { data } = body;
  if (ask.kind === 'profile') return data.id === profileId(ask.index) ? undefined : `profile ${data.id}`;
  if (ask.kind === 'item') return data.content_id === ask.id ? undefined : `item ${data.content_id}`;
  if (ask.kind === 'profiles') return data.length === ask.indexes.length ? undefined : `${data.length} profiles`;
  if (data.length !== ask.limit) return `a page of ${data.length}`;
  const items = ask.kind === 'game' ? data.map((/** @type {any} */ link) => link.content_id) : data;
  const wrong = items.find(
    (/** @type {any} */ item) => item.title !== content(indexOf(item.content_id), sizes.profiles).title,
  );
  return wrong && `another title than generated: ${JSON.stringify(wrong)}`;
}
