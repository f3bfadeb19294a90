// @ts-check
/**
 * Tables of the other servers: a column per field, JSON only for lists, and exactly the indexes that their queries need.
 * B and the tutorial server use the same tables.
 *
 * `bench_*_documents` contain the same records as JSON documents; only B's `--documents` variant reads them.
 */
import { analyze, connect, loadData, loadedSizes, drop, tsv } from './mariadb.mjs';
import { content, profile } from './data.mjs';

export const DATABASE = 'bench_b';

const PROFILE_COLUMNS = columns(
  'platform id name display_name url description profile_image banner_image language followers views_estimated',
  'account_type is_mature updated_at last_active_at',
);

const CONTENT_COLUMNS = columns(
  'platform content_id type title description created_at ended_at duration url profile_id categories tags chapters',
  'viewers_avg viewers_max watched_minutes_sum airtime_minutes_sum views_sum likes_sum comments_sum comments_avg',
);

function columns(/** @type {string[]} */ ...names) {
  return names.join(' ').split(' ');
}

const ID = 'VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const PLATFORM_COLUMN = 'platform VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

const DDL = {
  bench_profiles: `${PLATFORM_COLUMN}, id ${ID}, name VARCHAR(255), display_name VARCHAR(255), url VARCHAR(500),
    description TEXT, profile_image VARCHAR(500), banner_image VARCHAR(500), language VARCHAR(20), followers BIGINT,
    views_estimated BIGINT, account_type VARCHAR(40), is_mature BOOLEAN, updated_at DATETIME(3) NOT NULL,
    last_active_at DATETIME(3), PRIMARY KEY (platform, id), KEY by_update (platform, updated_at, id)`,
  bench_content: `${PLATFORM_COLUMN}, content_id ${ID}, type VARCHAR(10) NOT NULL, title TEXT, description TEXT,
    created_at DATETIME(3) NOT NULL, ended_at DATETIME(3), duration BIGINT, url VARCHAR(500), profile_id ${ID},
    categories JSON, tags JSON, chapters JSON, viewers_avg DOUBLE, viewers_max BIGINT, watched_minutes_sum BIGINT,
    airtime_minutes_sum BIGINT, views_sum BIGINT, likes_sum BIGINT, comments_sum BIGINT, comments_avg BIGINT,
    PRIMARY KEY (platform, created_at, content_id), UNIQUE KEY by_id (platform, content_id),
    KEY by_profile (platform, profile_id, created_at, content_id)`,
  bench_game_content: `${PLATFORM_COLUMN}, game_id ${ID}, created_at DATETIME(3) NOT NULL, content_id ${ID},
    PRIMARY KEY (platform, game_id, created_at, content_id)`,
  bench_profile_documents: `${PLATFORM_COLUMN}, id ${ID}, updated_at DATETIME(3) NOT NULL, document MEDIUMBLOB NOT NULL,
    PRIMARY KEY (platform, id), KEY by_update (platform, updated_at, id)`,
  bench_content_documents: `${PLATFORM_COLUMN}, content_id ${ID}, created_at DATETIME(3) NOT NULL,
    document MEDIUMBLOB NOT NULL, PRIMARY KEY (platform, created_at, content_id), UNIQUE KEY by_id (platform, content_id)`,
};

const sqlTime = (/** @type {string | null} */ iso) => iso && `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;

/** @typedef {(index: number, profiles: number) => (readonly (string | number | boolean | null)[])[]} Rows */

/** @type {Rows} */
function profileRows(index) {
  const p = profile(index);
  return [
    [
      p.platform_id,
      p.id,
      p.name,
      p.display_name,
      p.url,
      p.description,
      p.profile_image,
      p.banner_image,
      p.language,
      p.statistics.followers,
      p.statistics.views_estimated,
      p.account_type,
      p.is_mature,
      sqlTime(p.updated_at),
      sqlTime(p.last_active_at),
    ],
  ];
}

/** @type {Rows} */
function contentRows(index, profiles) {
  const c = content(index, profiles);
  /** @type {any} */
  const s = c.statistics;
  return [
    [
      c.platform,
      c.content_id,
      c.type,
      c.title,
      c.description,
      sqlTime(c.created_at),
      sqlTime(c.ended_at),
      c.duration,
      c.url,
      c.profile_id,
      JSON.stringify(c.categories),
      JSON.stringify(c.tags),
      JSON.stringify(c.chapters),
      s.viewers?.avg,
      s.viewers?.max,
      s.watched_minutes?.sum,
      s.airtime_minutes?.sum,
      s.views?.sum,
      s.likes?.sum,
      s.comments?.sum,
      s.comments?.avg,
    ],
  ];
}

/** @type {Rows} */
function gameContentRows(index, profiles) {
  const c = content(index, profiles);
  return c.categories.map((category) => [c.platform, category.id, sqlTime(c.created_at), c.content_id]);
}

/** @type {Rows} */
function profileDocumentRows(index) {
  const p = profile(index);
  return [[p.platform_id, p.id, sqlTime(p.updated_at), JSON.stringify(p)]];
}

/** @type {Rows} */
function contentDocumentRows(index, profiles) {
  const c = content(index, profiles);
  return [[c.platform, c.content_id, sqlTime(c.created_at), JSON.stringify(c)]];
}

/** @type {Record<keyof typeof DDL, { of: 'profiles' | 'content', columns: string[], rows: Rows }>} */
const TABLES = {
  bench_profiles: { of: 'profiles', columns: PROFILE_COLUMNS, rows: profileRows },
  bench_content: { of: 'content', columns: CONTENT_COLUMNS, rows: contentRows },
  bench_game_content: {
    of: 'content',
    columns: ['platform', 'game_id', 'created_at', 'content_id'],
    rows: gameContentRows,
  },
  bench_profile_documents: {
    of: 'profiles',
    columns: ['platform', 'id', 'updated_at', 'document'],
    rows: profileDocumentRows,
  },
  bench_content_documents: {
    of: 'content',
    columns: ['platform', 'content_id', 'created_at', 'document'],
    rows: contentDocumentRows,
  },
};

export const COLUMN_TABLES = /** @type {const} */ (['bench_profiles', 'bench_content', 'bench_game_content']);
export const DOCUMENT_TABLES = /** @type {const} */ ([
  'bench_profile_documents',
  'bench_content_documents',
  'bench_game_content',
]);

/**
 * Fills the tables to the given sizes. Keeps the rows of earlier runs, unless there are more.
 * @param {readonly (keyof typeof DDL)[]} tables @param {{ profiles: number, content: number }} sizes
 * @param {(text: string) => void} say @param {string} database
 */
export async function prepareTables(tables, sizes, say, database = DATABASE) {
  const basis = `:${sizes.profiles}`; // content refers to creators, so it depends on their number
  let connection = await connect(database);
  let state = await loadedSizes(connection, basis);
  if (Object.keys(DDL).some((name) => state.size(name) > sizes[TABLES[/** @type {keyof typeof DDL} */ (name)].of])) {
    await connection.end();
    await drop(database);
    connection = await connect(database);
    state = await loadedSizes(connection, basis);
  }
  for (const name of tables) {
    const { of, columns, rows } = TABLES[name];
    const from = state.size(name);
    if (from === sizes[of]) continue;
    const started = performance.now();
    if (from === 0) await connection.query(`DROP TABLE IF EXISTS ${name}`);
    await connection.query(
      `CREATE TABLE IF NOT EXISTS ${name} (${DDL[name]}) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin`,
    );
    await connection.query(`DELETE FROM bench_state WHERE part = ?`, [name]); // if loading is interrupted, it starts over
    await loadData(connection, name, pieces(rows, from, sizes[of], sizes.profiles), columns);
    await analyze(connection, [name]);
    await state.record(name, sizes[of]);
    const seconds = (performance.now() - started) / 1000;
    say(
      `${name}: ${sizes[of] - from} records in ${seconds.toFixed(1)} s (${Math.round((sizes[of] - from) / seconds)}/s)`,
    );
  }
  await connection.end();
}

/** @param {Rows} rows @param {number} from @param {number} to @param {number} profiles */
function* pieces(rows, from, to, profiles) {
  for (let at = from; at < to;) {
    let piece = '';
    for (const end = Math.min(to, at + 500); at < end; at++) for (const row of rows(at, profiles)) piece += tsv(row);
    yield Buffer.from(piece);
  }
}
