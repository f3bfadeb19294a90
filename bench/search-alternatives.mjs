// @ts-check
/**
 * Measures what an operator would use without the search index: SQL over a table with columns and indexes made for the search
 * (embedded with FTS5, MySQL with a full-text index), and MiniSearch in one process. One client, in a process of its own.
 *
 *   node bench/search-alternatives.mjs --engine sqlite|mysql|minisearch --size 100000
 */
import { rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import MiniSearch from 'minisearch';
import mysql from 'mysql2/promise';
import { profile } from './data.mjs';
import { SERVER_URL } from './database-server.mjs';
import { options } from './options.mjs';
import { memoryMib, WORK_FOLDER } from './processes.mjs';
import { random } from './randomness.mjs';
import { say } from './report.mjs';

const given = options({ engine: 'sqlite', size: 100_000, seconds: 3 }, 'Search for creators without the search index.');
const LIMIT = 10;
const BATCH = 10_000;
const DATABASE = 'bench_search_alternative';

const INDEXES = [
  'CREATE INDEX by_followers ON creators (followers, id)',
  'CREATE INDEX by_language ON creators (language, followers, id)',
  'CREATE INDEX by_values ON creators (language, account_type, is_mature, followers, id)',
  'CREATE INDEX by_maturity ON creators (is_mature, followers, id)',
];

/** @typedef {{ words: string[], language: string | null, type: string | null, mature: boolean | null, min: number, max: number | null, below: number | null, counts: boolean, isEmpty: boolean }} Query */
/** @typedef {{ n: number, id: string, name: string, display_name: string, description: string, language: string, account_type: string, is_mature: boolean, followers: number }} Creator */
/** @typedef {{ add: (creators: Creator[]) => Promise<void>, finish: () => Promise<void>, find: (query: Query) => Promise<unknown>, close: () => Promise<void> }} Engine */

const engines = { sqlite: openSqlite, mysql: openMysql, minisearch: openMiniSearch };
const engine = await engines[/** @type {keyof typeof engines} */ (given.engine)]();
try {
  const startedAt = performance.now();
  for (let from = 0; from < given.size; from += BATCH) {
    await engine.add(Array.from({ length: Math.min(BATCH, given.size - from) }, (_, at) => creator(from + at)));
  }
  await engine.finish();
  const build = (performance.now() - startedAt) / 1000;
  say(`${given.engine}: built in ${Math.round(build)} s`);
  const rows = [];
  for (const [what, query] of Object.entries(classes())) rows.push({ what, ...(await measure(query)) });
  process.stdout.write(JSON.stringify({ engine: given.engine, build, memory: memoryMib(process.pid), rows }));
} finally {
  await engine.close();
}

/** @returns {Creator} */
function creator(/** @type {number} */ n) {
  const { id, name, display_name, description, language, account_type, is_mature, statistics } = profile(n);
  return { n, id, name, display_name, description, language, account_type, is_mature, followers: statistics.followers };
}

/** Creates the queries, as the benchmark of the search index has them. @returns {Record<string, () => Query>} */
function classes() {
  const next = random(13);
  const below = (/** @type {number} */ limit) => Math.floor(next() * limit);
  const query = (/** @type {Partial<Query>} */ members) => ({
    ...{ words: [], language: null, type: null, mature: null, min: 0, max: null, below: null },
    ...{ counts: false, isEmpty: false },
    ...members,
  });
  const word = (/** @type {number} */ at) => profile(below(given.size)).description.split(' ')[at] ?? '';
  const range = () => ({ min: 100 + below(500), max: 1000 + below(100_000) });
  const common = { language: 'de', type: 'affiliate', mature: false };
  return {
    'no filter': () => query({}),
    'common value': () => query({ language: 'de' }),
    'rare word': () => query({ words: [profile(below(given.size)).name] }),
    'three common values': () => query(common),
    contradictory: () => query({ type: 'partner', isEmpty: true }),
    range: () => query(range()),
    'common prefix': () => query({ words: ['s'] }),
    'two words': () => query({ words: [word(1), word(0).slice(0, 3)] }),
    'all together': () => query({ words: [word(1), word(0).slice(0, 3)], ...common, ...range() }),
    'page 10,000': () => query({ below: Math.floor(50 / next()) }),
    'count, two facets': () => query({ mature: false, counts: true }),
  };
}

/** Runs queries for some seconds, three at least. */
async function measure(/** @type {() => Query} */ create) {
  /** @type {number[]} */
  const times = [];
  const deadline = performance.now() + given.seconds * 1000;
  while (times.length < 3 || performance.now() < deadline) {
    const query = create();
    const startedAt = performance.now();
    await engine.find(query);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => times[Math.floor((times.length - 1) * share)] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Returns the conditions on columns, the same in both dialects. @returns {{ sql: string, values: (string | number)[] }} */
function conditions(/** @type {Query} */ { language, type, mature, min, max, below, isEmpty }) {
  /** @type {[string, string | number][]} */
  const all = [];
  if (language !== null) all.push(['language = ?', language]);
  if (type !== null) all.push(['account_type = ?', type]);
  if (mature !== null) all.push(['is_mature = ?', Number(mature)]);
  if (min > 0) all.push(['followers >= ?', min]);
  if (max !== null) all.push(['followers <= ?', max]);
  if (below !== null) all.push(['followers < ?', below]);
  if (isEmpty && type !== null) all.push(['account_type <> ?', type]);
  return { sql: ['1 = 1', ...all.map(([sql]) => sql)].join(' AND '), values: all.map(([, value]) => value) };
}

/** Lists the statements of a query. @param {Query} query @param {string} text condition on the words @param {string | null} words its value */
function statements(query, text, words) {
  const { sql, values } = conditions(query);
  const where = words === null ? sql : `${text} AND ${sql}`;
  const all = words === null ? values : [words, ...values];
  const page = `SELECT id FROM creators WHERE ${where} ORDER BY followers DESC, id DESC LIMIT ${LIMIT}`;
  const facets = ['language', 'account_type'].map(
    (column) => `SELECT ${column}, COUNT(*) FROM creators WHERE ${where} GROUP BY ${column}`,
  );
  const counts = query.counts ? [`SELECT COUNT(*) FROM creators WHERE ${where}`, ...facets] : [];
  return [page, ...counts].map((statement) => ({ statement, values: all }));
}

/** @returns {Promise<Engine>} */
async function openSqlite() {
  const file = `${WORK_FOLDER}search-alternative.sqlite`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const store = new DatabaseSync(file);
  store.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -200000');
  store.exec(`CREATE TABLE creators (n INTEGER PRIMARY KEY, id TEXT, name TEXT, display_name TEXT, description TEXT,
    language TEXT, account_type TEXT, is_mature INTEGER, followers INTEGER)`);
  store.exec(`CREATE VIRTUAL TABLE words USING fts5(name, display_name, description, content = 'creators', content_rowid = 'n',
    prefix = '1 2 3')`);
  const insert = store.prepare('INSERT INTO creators VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  return {
    add: async (creators) => {
      store.exec('BEGIN');
      for (const one of creators) {
        const { n, id, name, display_name, description, language, account_type, is_mature, followers } = one;
        insert.run(n, id, name, display_name, description, language, account_type, Number(is_mature), followers);
      }
      store.exec('COMMIT');
    },
    finish: async () => {
      store.exec("INSERT INTO words (words) VALUES ('rebuild')");
      for (const index of INDEXES) store.exec(index);
      store.exec('ANALYZE');
    },
    find: async (query) => {
      const words = query.words.map((word) => `"${word}"*`).join(' ');
      const text = 'n IN (SELECT rowid FROM words WHERE words MATCH ?)';
      return statements(query, text, words === '' ? null : words).map(({ statement, values }) =>
        store.prepare(statement).all(...values),
      );
    },
    close: async () => store.close(),
  };
}

/** @returns {Promise<Engine>} */
async function openMysql() {
  const connection = await mysql.createConnection({ uri: SERVER_URL });
  await connection.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
  await connection.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await connection.query(`USE ${DATABASE}`);
  await connection.query(`CREATE TABLE creators (n INT PRIMARY KEY, id VARCHAR(64), name VARCHAR(100), display_name VARCHAR(100),
    description TEXT, language VARCHAR(8), account_type VARCHAR(20), is_mature TINYINT, followers BIGINT)`);
  return {
    add: async (creators) => {
      const rows = creators.map((one) => [
        ...[one.n, one.id, one.name, one.display_name, one.description],
        ...[one.language, one.account_type, Number(one.is_mature), one.followers],
      ]);
      for (let at = 0; at < rows.length; at += 1000) {
        await connection.query('INSERT INTO creators VALUES ?', [rows.slice(at, at + 1000)]);
      }
    },
    finish: async () => {
      for (const index of INDEXES) await connection.query(index);
      await connection.query('CREATE FULLTEXT INDEX words ON creators (name, display_name, description)');
      await connection.query('ANALYZE TABLE creators');
    },
    find: async (query) => {
      const words = query.words.map((word) => `+${word}*`).join(' ');
      const text = 'MATCH (name, display_name, description) AGAINST (? IN BOOLEAN MODE)';
      for (const { statement, values } of statements(query, text, words === '' ? null : words)) {
        await connection.query(statement, values);
      }
    },
    close: async () => {
      await connection.query(`DROP DATABASE ${DATABASE}`);
      await connection.end();
    },
  };
}

/** @returns {Promise<Engine>} */
async function openMiniSearch() {
  const index = new MiniSearch({
    idField: 'n',
    fields: ['name', 'display_name', 'description'],
    storeFields: ['id', 'language', 'account_type', 'is_mature', 'followers'],
  });
  const fits = (/** @type {Query} */ query) => (/** @type {any} */ found) =>
    (query.language === null || found.language === query.language) &&
    (query.type === null || found.account_type === query.type) &&
    (query.mature === null || found.is_mature === query.mature) &&
    found.followers >= query.min &&
    (query.max === null || found.followers <= query.max) &&
    (query.below === null || found.followers < query.below) &&
    !query.isEmpty;
  return {
    add: async (creators) => index.addAll(creators),
    finish: async () => undefined,
    find: async (query) => {
      const words = query.words.length === 0 ? MiniSearch.wildcard : query.words.join(' ');
      const found = index.search(words, { prefix: true, combineWith: 'AND', filter: fits(query) });
      found.sort((a, b) => b['followers'] - a['followers']);
      if (!query.counts) return found.slice(0, LIMIT);
      const facets = { language: new Map(), account_type: new Map() };
      for (const one of found) {
        for (const [name, counts] of Object.entries(facets)) counts.set(one[name], (counts.get(one[name]) ?? 0) + 1);
      }
      return [found.slice(0, LIMIT), found.length, facets];
    },
    close: async () => undefined,
  };
}
