// @ts-check
/**
 * Compares our import, which parses and validates every line, with the fastest ways to load finished rows into the same
 * table and indexes: LOAD DATA and inserts of 1,000 rows on MySQL, a loop of prepared inserts on the embedded database.
 *
 * The other ways load the rows that our import wrote, in the order of the file. These are in memory or in a file before
 * the clock starts. Writing further tables counts against our import.
 */
import { createWriteStream, createReadStream, existsSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { indexOf, lines, profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { connect, loadData, drop } from './mariadb.mjs';
import { options } from './options.mjs';
import { WORK_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { cli, settings, sqliteFile } from './targets/ours.mjs';

const given = options(
  { profiles: 200_000, rounds: 3, engines: ['mysql', 'sqlite'], table: 'profiles', 'buffer-pool': '128M' },
  'Rows a second of our import against the fastest ways to load finished rows.',
);
const DATABASE = 'bench_loading';
const NDJSON = `${WORK_FOLDER}loading.ndjson`;
const TSV = `${WORK_FOLDER}loading.tsv`;
const ROWS_A_STATEMENT = 1_000;

/** @typedef {(Buffer | string | number | null)[]} Row */
/** @type {Record<string, Record<string, number[]>>} */
const results = {};

await pipeline(Readable.from(lines('profiles', 0, given.profiles)), createWriteStream(NDJSON));
const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (let round = 1; round <= given.rounds; round++) {
    for (const engine of given.engines) await (engine === 'mysql' ? mysqlRound() : sqliteRound());
  }
  if (given.engines.includes('mysql')) await drop(DATABASE);
} finally {
  await database.stop();
}
for (const path of [NDJSON, TSV]) rmSync(path, { force: true });
publish('loading', report(), { options: given, machine: machine(), database: database.note, results });

/** Runs one way of loading, and stores its rows per second. */
async function timed(/** @type {string} */ engine, /** @type {string} */ way, /** @type {() => unknown} */ work) {
  const started = performance.now();
  await work();
  const rate = given.profiles / ((performance.now() - started) / 1000);
  ((results[engine] ??= {})[way] ??= []).push(rate);
  say(`${engine} ${way}: ${figure(rate)} rows/s`);
}

async function mysqlRound() {
  await drop(DATABASE);
  const connection = await connect(DATABASE);
  const env = settings('mysql', DATABASE);
  await cli(['migrate'], env);
  await timed('mysql', 'our import', () => cli(['import', 'profiles', NDJSON], env));

  const { columns, rows } = await writtenRows(connection);
  await pipeline(Readable.from(rawLines(rows)), createWriteStream(TSV));
  const names = columns.map((name) => `\`${name}\``);
  for (const table of ['by_load_data', 'by_inserts'])
    await connection.query(`CREATE TABLE ${table} LIKE \`${given.table}\``);
  await timed('mysql', 'LOAD DATA', () =>
    loadData(
      connection,
      'by_load_data',
      /** @type {any} */ (createReadStream(TSV, { highWaterMark: 1 << 20 })),
      names,
      'binary',
    ),
  );
  await timed('mysql', 'inserts of 1,000', async () => {
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
      await connection.query(`INSERT INTO by_inserts (${names.join()}) VALUES ?`, [
        rows.slice(at, at + ROWS_A_STATEMENT),
      ]);
    }
  });
  await sameContents(connection, [given.table, 'by_load_data', 'by_inserts']);
  await connection.end();
}

/** Reads the rows that our import wrote: binary columns as bytes, others as text. */
async function writtenRows(/** @type {import('./mariadb.mjs').Connection} */ connection) {
  const [described] = await connection.query(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = ? AND table_name = ? AND extra NOT LIKE '%GENERATED%' ORDER BY ordinal_position`,
    [DATABASE, given.table],
  );
  const found = /** @type {{ name: string, type: string }[]} */ (described);
  if (found.length === 0) throw new Error(`the service has no table "${given.table}": give its name with --table`);
  const columns = found.map(({ name }) => name);
  const binary = found.map(({ type }) => /binary|blob/.test(type));
  const [rows] = await connection.query({
    sql: `SELECT ${columns.map((name) => `\`${name}\``).join()} FROM \`${given.table}\``,
    rowsAsArray: true,
    typeCast: (/** @type {any} */ field) => field.buffer(),
  });
  const typed = /** @type {(Buffer | null)[][]} */ (rows).map((row) =>
    row.map((value, at) => (value === null || binary[at] ? value : value.toString())),
  );
  return { columns, rows: inFileOrder(typed) };
}

/** Sorts rows in the order of the file, so that no way profits from the order of the primary key. */
function inFileOrder(/** @type {Row[]} */ rows) {
  if (rows.length !== given.profiles) throw new Error(`${rows.length} rows were written instead of ${given.profiles}`);
  const at = (rows[0] ?? []).findIndex((value) => {
    const index = indexOf(/^\d{10}$/.test(String(value)) ? String(value) : '0');
    return index >= 0 && index < given.profiles && profileId(index) === String(value);
  });
  if (at < 0) throw new Error(`no column of "${given.table}" holds the profile's ID`);
  return rows.sort((one, other) => indexOf(String(one[at])) - indexOf(String(other[at])));
}

/** Formats a row as a line for LOAD DATA. Works on bytes, because documents may contain anything. */
function* rawLines(/** @type {Row[]} */ rows) {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    let piece = '';
    for (const row of rows.slice(at, at + ROWS_A_STATEMENT)) piece += row.map(escaped).join('\t') + '\n';
    yield Buffer.from(piece, 'latin1');
  }
}

function escaped(/** @type {Row[number]} */ value) {
  if (value === null) return '\\N';
  const text = (Buffer.isBuffer(value) ? value : Buffer.from(String(value))).toString('latin1');
  return text.replace(/[\\\t\n]/g, '\\$&');
}

/** Checks that all ways loaded the same rows. */
async function sameContents(
  /** @type {import('./mariadb.mjs').Connection} */ connection,
  /** @type {string[]} */ tables,
) {
  const [sums] = await connection.query(`CHECKSUM TABLE ${tables.map((name) => `\`${name}\``).join()}`);
  const distinct = new Set(/** @type {any[]} */ (sums).map((row) => String(row.Checksum)));
  if (distinct.size !== 1) throw new Error(`the tables differ: ${JSON.stringify(sums)}`);
}

async function sqliteRound() {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const [own, raw] = [sqliteFile(DATABASE), sqliteFile(`${DATABASE}_raw`)];
  const remove = () =>
    [own, raw].forEach((file) => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true })));
  remove();
  const env = settings('sqlite', DATABASE);
  await cli(['migrate'], env);
  await timed('sqlite', 'our import', () => cli(['import', 'profiles', NDJSON], env));
  if (!existsSync(own)) throw new Error(`the service did not write ${own}`);

  const source = new DatabaseSync(own, { readOnly: true });
  const definitions = /** @type {{ sql: string }[]} */ (
    source
      .prepare(
        "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL AND type IN ('table', 'index') ORDER BY type DESC",
      )
      .all(given.table)
  );
  const select = source.prepare(`SELECT * FROM "${given.table}"`);
  const columns = select.columns().map(({ name }) => `"${name}"`);
  select.setReturnArrays(true);
  const rows = inFileOrder(/** @type {Row[]} */ (select.all()));
  source.close();

  const target = new DatabaseSync(raw);
  target.exec('PRAGMA journal_mode = WAL');
  target.exec('PRAGMA synchronous = NORMAL');
  for (const { sql } of definitions) target.exec(sql);
  const insert = target.prepare(
    `INSERT INTO "${given.table}" (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  );
  const insertAll = (/** @type {Row[]} */ some) => {
    target.exec('BEGIN');
    for (const row of some) insert.run(...row);
    target.exec('COMMIT');
  };
  await timed('sqlite', 'prepared inserts, 1,000 a transaction', () => {
    for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) insertAll(rows.slice(at, at + ROWS_A_STATEMENT));
  });
  target.close();
  remove();
}

function report() {
  const parts = Object.entries(results).map(([engine, ways]) => {
    const mine = median(ways['our import'] ?? []);
    const body = Object.entries(ways).map(([way, rates]) => [
      way,
      figure(median(rates)),
      (mine / median(rates)).toFixed(2),
    ]);
    return `\n${engine}\n\n${markdownTable(['way', 'rows/s', 'our import : this'], body)}`;
  });
  return [
    `${figure(given.profiles)} profiles, medians of ${given.rounds} rounds. ${machine()}. ${database.note}.`,
    ...parts,
  ].join('\n');
}
