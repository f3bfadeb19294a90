// @ts-check
/**
 * Measures the cost of a list's index: bytes per row, and the rate of an import. Before the import, the table of profiles
 * gets further indexes (platform, handle, sort value, ID), like those for a text filter.
 */
import { createWriteStream, rmSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lines } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { connect } from './mariadb.mjs';
import { options } from './options.mjs';
import { WORK_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { cli, createStore, removeStore, sqliteFile } from './targets/ours.mjs';

const given = options(
  { profiles: 200_000, rounds: 3, indexes: [0, 1, 3, 6], engines: ['mysql', 'sqlite'], 'buffer-pool': '1G' },
  'Bytes a row and rate of an import, by the number of further indexes.',
);
const DATABASE = 'bench_indexes';
const NDJSON = `${WORK_FOLDER}indexes.ndjson`;
const SORTS = ['updated_at', 'last_active_at', 'followers'];

/** @type {Record<string, Record<string, { rates: number[], bytes: number }>>} */
const results = {};

await pipeline(Readable.from(lines('profiles', 0, given.profiles)), createWriteStream(NDJSON));
const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (let round = 1; round <= given.rounds; round++) {
    for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) {
      for (const count of given.indexes) await measure(engine, count);
    }
  }
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) await removeStore(engine, DATABASE);
} finally {
  await database.stop();
  rmSync(NDJSON, { force: true });
}
publish('indexes', report(), { options: given, machine: machine(), database: database.note, results });

async function measure(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {number} */ count) {
  const env = await createStore(engine, DATABASE);
  await cli(['migrate'], env);
  const statements = Array.from({ length: count }, (_, nth) => {
    // Every generated profile has a handle. Databases maintain each index, even if the columns are the same.
    return `CREATE INDEX further_${nth} ON profiles (platform, handle, ${SORTS[nth % SORTS.length]}, id)`;
  });
  await execute(engine, statements);
  const started = performance.now();
  await cli(['import', 'profiles', NDJSON], env);
  const rate = given.profiles / ((performance.now() - started) / 1000);
  const result = ((results[engine] ??= {})[count] ??= { rates: [], bytes: 0 });
  result.rates.push(rate);
  result.bytes = (await sizeOf(engine)) / given.profiles;
  say(`${engine}, ${count} further indexes: ${figure(rate)} profiles/s, ${figure(result.bytes)} bytes a row`);
}

async function execute(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {string[]} */ statements) {
  if (engine === 'mysql') {
    const connection = await connect(DATABASE);
    for (const sql of statements) await connection.query(sql);
    await connection.end();
    return;
  }
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const file = new DatabaseSync(sqliteFile(DATABASE));
  for (const sql of statements) file.exec(sql);
  file.close();
}

/** Returns the size of the table with its indexes, in bytes. */
async function sizeOf(/** @type {'mysql' | 'sqlite'} */ engine) {
  if (engine === 'sqlite') return statSync(sqliteFile(DATABASE)).size;
  const connection = await connect(DATABASE);
  await connection.query('ANALYZE TABLE profiles');
  const [rows] = await connection.query(
    "SELECT data_length + index_length AS size FROM information_schema.tables WHERE table_schema = ? AND table_name = 'profiles'",
    [DATABASE],
  );
  await connection.end();
  return Number(/** @type {any[]} */ (rows)[0].size);
}

function report() {
  const rows = Object.entries(results).flatMap(([engine, each]) => {
    const [first] = Object.values(each);
    return Object.entries(each).map(([count, { rates, bytes }]) => [
      engine,
      count,
      figure(median(rates)),
      (median(rates) / median(first?.rates ?? [])).toFixed(2),
      figure(bytes),
      figure(bytes - (first?.bytes ?? 0)),
    ]);
  });
  const head = ['engine', 'further indexes', 'profiles/s', 'ratio', 'bytes a row', 'more'];
  return `${figure(given.profiles)} profiles, medians of ${given.rounds} rounds. ${machine()}. ${database.note}.\n\n${markdownTable(head, rows)}`;
}
