// @ts-check
/**
 * Measures game search over catalogues of several sizes: every class of query against a single look-up on the same server,
 * and the time and memory of the first search, which builds the index.
 *
 *   node bench/search.mjs --sizes 148737,500000 --engines mysql,sqlite
 */
import { PLATFORM, game, profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { random } from './randomness.mjs';
import { drive } from './load.mjs';
import { options } from './options.mjs';
import { memoryMib } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { createKey, ours, prepareService, settings } from './targets/ours.mjs';

const given = options(
  // Long rounds: in a short one, a full garbage collection every twenty seconds would decide the 99th percentile.
  {
    sizes: [148_737, 500_000],
    engines: ['mysql'],
    connections: 16,
    seconds: 10,
    rounds: 3,
    'buffer-pool': '4G',
  },
  'Game search against single look-ups, by size of the catalogue and class of query.',
);
const PROFILES = 100_000;
const QUERIES = 500;

/** @typedef {{ engine: string, size: number, what: string, p50: number, p99: number, rps: number, cpu_us: number }} Row */
/** @type {Row[]} */
const rows = [];
/** @type {string[][]} */
const firsts = [];

const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) {
    for (const size of given.sizes) await measure(engine, size);
  }
} finally {
  await database.stop();
}
publish('search', report(), { options: given, machine: machine(), database: database.note, rows, firsts });

/** Returns the words of a random game's name, longest first, because people search by distinctive words. */
function wordsOf(/** @type {number} */ index) {
  const words = game(index)
    .name.toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter(Boolean).sort((one, other) => other.length - one.length);
}

/** Query classes, each with several queries if the class allows it. */
function classes(/** @type {number} */ size) {
  const next = random(11);
  const some = (/** @type {(index: number) => string} */ make) =>
    Array.from({ length: QUERIES }, () => make(Math.floor(next() * size)));
  const threeWords = some((index) => wordsOf(index).slice(0, 3).join(' '));
  return {
    'one letter': [...'abcdefghijklmnopqrstuvwxyz'],
    '"the"': ['the'],
    'one word': some((index) => wordsOf(index)[0] ?? 'the'),
    'beginning of a word': some((index) => (wordsOf(index)[0] ?? 'the').slice(0, 4)),
    'three words': threeWords,
    // Common prefixes that rarely occur in one name: much to read, few results.
    'words that rarely meet': some((index) => `the s d ${wordsOf(index)[0]?.slice(0, 2)}`),
    'no match': some((index) => `xq${index}zz`),
    '200 characters': some((index) => `${threeWords[index % QUERIES]} the a s d `.repeat(20).slice(0, 200).trim()),
  };
}

async function measure(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {number} */ size) {
  const name = `bench_search_${size}`;
  await prepareService(engine, { games: size, profiles: PROFILES, content: 0 }, say, name);
  const target = ours(engine, name);
  const headers = { 'x-api-key': await createKey(settings(engine, name)) };
  const server = await target.start();
  try {
    const paths = Object.entries(classes(size)).map(([what, queries]) => ({
      what,
      paths: queries.map((query) => `/games/search?limit=20&query=${encodeURIComponent(query)}`),
    }));
    const singles = Array.from(
      { length: PROFILES },
      (_, index) => `/platforms/${PLATFORM}/profiles/${profileId(index)}`,
    );
    const get = async (/** @type {string} */ path) => {
      const response = await fetch(server.origin + path, { headers });
      if (response.status !== 200) throw new Error(`${response.status} to ${path}: ${await response.text()}`);
      return /** @type {any} */ (await response.json());
    };

    await get(singles[0] ?? '');
    const before = memoryMib(server.pid);
    const started = performance.now();
    await get('/games/search?query=dragon');
    const firstMs = performance.now() - started;
    await verify(get, size);
    firsts.push([engine, figure(size), figure(firstMs), figure(before), figure(memoryMib(server.pid))]);

    for (let round = 0; round <= given.rounds; round++) {
      for (const { what, paths: asked } of [{ what: 'single look-up', paths: singles }, ...paths]) {
        const requests = asked.map((path) => ({ method: /** @type {const} */ ('GET'), path }));
        const load = { origin: server.origin, pid: server.pid, headers, requests, connections: given.connections };
        const sample = await drive({ ...load, seconds: round === 0 ? 1 : given.seconds });
        if (sample.non2xx > 0) throw new Error(`${what}: ${sample.non2xx} answers were not 2xx`);
        if (round === 0) continue; // warming up
        rows.push({ engine, size, what, p50: sample.p50, p99: sample.p99, rps: sample.rps, cpu_us: sample.cpu_us });
        say(`${engine} ${figure(size)} games, ${what}: ${figure(sample.p50)} / ${figure(sample.p99)} ms`);
      }
    }
  } finally {
    await server.stop();
  }
}

/** Checks that games are found by the words of their names, unless more popular ones fill the page, and sorted by ratings. */
async function verify(/** @type {(path: string) => Promise<any>} */ get, /** @type {number} */ size) {
  for (let index = 0; index < size; index += Math.ceil(size / 20)) {
    const wanted = game(index);
    const { payload } = await get(`/games/search?limit=100&query=${encodeURIComponent(wanted.name.slice(0, 200))}`);
    if (payload.length < 100 && !payload.some((/** @type {any} */ found) => found.id === wanted.id)) {
      throw new Error(`"${wanted.name}" is not found by its own name`);
    }
    const ratings = payload.map((/** @type {any} */ found) => game(Number(found.id) - 1_000).total_rating_count);
    if (ratings.some((/** @type {number} */ rating, /** @type {number} */ at) => at > 0 && rating > ratings[at - 1])) {
      throw new Error(`"${wanted.name}": the answer is not ordered by ratings`);
    }
  }
  const { payload } = await get('/games/search?query=xqxqzz');
  if (payload.length > 0) throw new Error('a query without a match is answered with games');
}

function report() {
  const parts = given.engines.flatMap((engine) =>
    given.sizes.map((size) => {
      const here = rows.filter((row) => row.engine === engine && row.size === size);
      const of = (/** @type {string} */ what, /** @type {'p50' | 'p99' | 'rps' | 'cpu_us'} */ name) =>
        median(here.filter((row) => row.what === what).map((row) => row[name]));
      const body = [...new Set(here.map((row) => row.what))].map((what) => [
        what,
        ...[of(what, 'p50'), of(what, 'p99'), of(what, 'rps'), of(what, 'cpu_us')].map(figure),
        (of(what, 'p50') / of('single look-up', 'p50')).toFixed(2),
      ]);
      return `\n${engine}, ${figure(size)} games\n\n${markdownTable(['query', 'p50 ms', 'p99 ms', 'requests/s', 'server CPU µs', 'p50 : single look-up'], body)}`;
    }),
  );
  return [
    `${given.connections} connections, medians of ${given.rounds} rounds of ${given.seconds} s. ${machine()}. ${database.note}.`,
    ...parts,
    '\nFirst search after the start\n',
    markdownTable(['engine', 'games', 'ms', 'memory before, MiB', 'memory after, MiB'], firsts),
  ].join('\n');
}
