// @ts-check
/**
 * Measures how fast `reindex` fills a column that a migration added. A column and its index are dropped and added again,
 * empty as after a migration. For comparison: the import of the same records, and a second reindex, which writes nothing.
 */
import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lines } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { connect } from './mariadb.mjs';
import { options } from './options.mjs';
import { WORK_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, publish, say } from './report.mjs';
import { cli, createStore, removeStore, sqliteFile } from './targets/ours.mjs';

const given = options(
  { profiles: 1_000_000, engines: ['mysql', 'sqlite'], 'buffer-pool': '1G' },
  'Profiles a second of `reindex`, after a column was added.',
);
const DATABASE = 'bench_reindex';
const NDJSON = `${WORK_FOLDER}reindex.ndjson`;
const ADD_ANEW = {
  mysql: [
    'ALTER TABLE profiles DROP INDEX profiles_by_handle, DROP COLUMN handle',
    'ALTER TABLE profiles ADD COLUMN handle varbinary(765) NULL, ADD INDEX profiles_by_handle (platform, handle)',
  ],
  sqlite: [
    'DROP INDEX profiles_by_handle',
    'ALTER TABLE profiles DROP COLUMN handle',
    'ALTER TABLE profiles ADD COLUMN handle text',
    'CREATE INDEX profiles_by_handle ON profiles (platform, handle)',
  ],
};

/** @type {Record<string, Record<string, number>>} */
const rates = {};

await pipeline(Readable.from(lines('profiles', 0, given.profiles)), createWriteStream(NDJSON));
const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) await measure(engine);
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) await removeStore(engine, DATABASE);
} finally {
  await database.stop();
  rmSync(NDJSON, { force: true });
}
publish('reindex', report(), { options: given, machine: machine(), database: database.note, rates });

async function measure(/** @type {'mysql' | 'sqlite'} */ engine) {
  const env = await createStore(engine, DATABASE);
  await cli(['migrate'], env);
  await timed(engine, 'import', () => cli(['import', 'profiles', NDJSON], env));
  await addColumnAnew(engine);
  await timed(engine, 'reindex', () => expectChanged(env, given.profiles));
  await timed(engine, 'reindex, nothing to write', () => expectChanged(env, 0));
}

async function expectChanged(/** @type {Record<string, string>} */ env, /** @type {number} */ expected) {
  const { changed, records } = JSON.parse(await cli(['reindex', 'profiles', '--json'], env));
  if (records !== given.profiles || changed !== expected) throw new Error(`${records} read, ${changed} written`);
}

async function addColumnAnew(/** @type {'mysql' | 'sqlite'} */ engine) {
  if (engine === 'mysql') {
    const connection = await connect(DATABASE);
    for (const sql of ADD_ANEW.mysql) await connection.query(sql);
    await connection.end();
  } else {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const file = new DatabaseSync(sqliteFile(DATABASE));
    for (const sql of ADD_ANEW.sqlite) file.exec(sql);
    file.close();
  }
}

async function timed(
  /** @type {string} */ engine,
  /** @type {string} */ what,
  /** @type {() => Promise<unknown>} */ work,
) {
  const started = performance.now();
  await work();
  const rate = given.profiles / ((performance.now() - started) / 1000);
  (rates[engine] ??= {})[what] = rate;
  say(`${engine} ${what}: ${figure(rate)} profiles/s`);
}

function report() {
  const rows = Object.entries(rates).flatMap(([engine, each]) =>
    Object.entries(each).map(([what, rate]) => [engine, what, figure(rate)]),
  );
  return `${figure(given.profiles)} profiles. ${machine()}. ${database.note}.\n\n${markdownTable(['engine', 'what', 'profiles/s'], rows)}`;
}
