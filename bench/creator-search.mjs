// @ts-check
/**
 * Measures the search for creators: every class of query against a single look-up on the same server, the build, memory and
 * disk of the index, look-ups while it is built, and the same queries by SQL and MiniSearch.
 *
 *   node bench/creator-search.mjs --sizes 100000,1000000 --engines sqlite
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANGUAGES, PLATFORM, profile, profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { drive } from './load.mjs';
import { options } from './options.mjs';
import { memoryMib, peakMemoryMib, WORK_FOLDER } from './processes.mjs';
import { random } from './randomness.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { createKey, ours, prepareService, settings } from './targets/ours.mjs';

const given = options(
  {
    sizes: [100_000, 1_000_000],
    engines: ['sqlite'],
    connections: 4,
    seconds: 5,
    rounds: 3,
    alternatives: false,
    'buffer-pool': '4G',
  },
  'Search for creators against single look-ups and SQL, by number of creators and class of query.',
);
const PATH = `/platforms/${PLATFORM}/profiles/search`;
const QUERIES = 200;
const METRICS_PORT = 4015;

/** @typedef {{ engine: string, size: number, what: string, p50: number, p99: number, rps: number, cpu_us: number }} Row */
/** @type {Row[]} */
const rows = [];
/** @type {string[][]} */
const builds = [];
/** Rates of look-ups while the index is built. @type {{ engine: string, size: number, rps: number }[]} */
const busy = [];
/** @typedef {{ size: number, engine: string, build: number, memory: number, rows: { what: string, p50: number, p99: number }[] }} Alternative */
/** @type {Alternative[]} */
const alternatives = [];

const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) {
    for (const size of given.sizes) await measure(engine, size);
  }
  if (given.alternatives) for (const size of given.sizes) measureAlternatives(size);
} finally {
  await database.stop();
}
publish('creator-search', report(), {
  options: given,
  machine: machine(),
  database: database.note,
  rows,
  builds,
  busy,
  alternatives,
});

/** Creates the bodies of each class of query. @param {number} size @param {(share: number) => string} cursorAt */
function classes(size, cursorAt) {
  const next = random(13);
  const below = (/** @type {number} */ limit) => Math.floor(next() * limit);
  const some = (/** @type {() => object} */ make) => Array.from({ length: QUERIES }, make);
  const language = () => LANGUAGES[below(LANGUAGES.length)];
  const words = () => (profile(below(size)).description ?? '').split(' ');
  const common = () => ({ language: [language()], account_type: ['affiliate'], is_mature: false });
  const range = () => ({ followers: { min: 100 + below(500), max: 1000 + below(100_000) } });
  const text = () => `${words()[1]} ${(words()[0] ?? '').slice(0, 3)}`;
  return {
    'no filter': some(() => ({})),
    'common value': some(() => ({ filters: { language: [language()] } })),
    'rare word': some(() => ({ text: profile(below(size)).name })),
    'three common values': some(() => ({ filters: common() })),
    contradictory: some(() => ({ filters: { account_type: ['partner'] }, not: { account_type: ['partner'] } })),
    range: some(() => ({ filters: range() })),
    'common prefix': some(() => ({ text: 's' })),
    'two words': some(() => ({ text: text() })),
    'by activity': some(() => ({ filters: { language: [language()] }, sort: 'last_active_at' })),
    'all together': some(() => ({
      text: text(),
      filters: { ...common(), ...range(), last_active_after: '2025-01-01' },
      not: { language: ['xx'] },
      exclude_ids: [profileId(below(size))],
    })),
    'page 10,000': some(() => ({ cursor: cursorAt(next()) })),
    'count, three facets': some(() => ({
      filters: { is_mature: false },
      count: true,
      facets: ['language', 'account_type', 'topics'],
    })),
  };
}

async function measure(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {number} */ size) {
  const name = `bench_creators_${size}`;
  await prepareService(engine, { games: 0, profiles: size, content: 0 }, say, name);
  const folder = `${WORK_FOLDER}search-${engine}-${size}`;
  rmSync(folder, { recursive: true, force: true });
  // Each size has its own folder, because a folder has the index of one store.
  const target = ours(engine, name, true, true, { DATA_DIR: folder, METRICS_PORT: String(METRICS_PORT) });
  const headers = { 'x-api-key': await createKey(settings(engine, name)) };
  const singles = Array.from({ length: 10_000 }, (_, index) => ({
    method: /** @type {const} */ ('GET'),
    path: `/platforms/${PLATFORM}/profiles/${profileId(index)}`,
  }));
  const first = await target.start();
  await waitForIndex(size);
  const { build_seconds, index_bytes } = await readMetrics();
  const peak = peakMemoryMib(first.pid);
  await first.stop();

  const server = await target.start();
  try {
    const before = memoryMib(server.pid);
    await waitForIndex(size);
    const search = async (/** @type {object} */ body) => {
      const response = await fetch(server.origin + PATH, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return /** @type {any} */ (await response.json());
    };
    const { paging } = await search({ limit: 1 });
    const [list, sort, order, , , ...scope] = JSON.parse(Buffer.from(paging.next_cursor, 'base64url').toString());
    const cursorAt = (/** @type {number} */ share) =>
      Buffer.from(JSON.stringify([list, sort, order, Math.floor(50 / share), 'x', ...scope])).toString('base64url');
    const bodies = classes(size, cursorAt);
    const requests = Object.entries(bodies).map(([what, asked]) => ({
      what,
      requests: asked.map((body) => ({
        method: /** @type {const} */ ('POST'),
        path: PATH,
        body: JSON.stringify(body),
      })),
    }));
    for (let round = 0; round <= given.rounds; round++) {
      for (const { what, requests: asked } of [{ what: 'single look-up', requests: singles }, ...requests]) {
        const load = {
          origin: server.origin,
          pid: server.pid,
          headers,
          requests: asked,
          connections: given.connections,
          own: true,
        };
        const sample = await drive({ ...load, seconds: round === 0 ? 1 : given.seconds });
        if (sample.non2xx > 0) throw new Error(`${what}: ${sample.non2xx} answers were not 2xx`);
        if (round === 0) continue; // warming up
        rows.push({ engine, size, what, p50: sample.p50, p99: sample.p99, rps: sample.rps, cpu_us: sample.cpu_us });
        say(`${engine} ${figure(size)} creators, ${what}: ${figure(sample.p50)} / ${figure(sample.p99)} ms`);
      }
    }
    const perProfile = Number(index_bytes) / size;
    builds.push([
      engine,
      figure(size),
      figure(Number(build_seconds)),
      figure(perProfile),
      figure(peak),
      figure(before),
      figure(memoryMib(server.pid)),
    ]);
  } finally {
    await server.stop();
  }

  rmSync(folder, { recursive: true });
  const building = await target.start();
  try {
    const load = {
      origin: building.origin,
      pid: building.pid,
      headers,
      requests: singles,
      connections: given.connections,
    };
    await drive({ ...load, seconds: 1 });
    while (Number((await readMetrics()).documents) !== size) {
      const { rps } = await drive({ ...load, seconds: given.seconds });
      // A sample in which the build ended says nothing.
      if (Number((await readMetrics()).documents) !== size) busy.push({ engine, size, rps });
    }
  } finally {
    await building.stop();
  }
}

/** Reads the metrics of the search index, without their prefix. */
async function readMetrics() {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^creator_data_search_(\w+) (.*)$/gm)].map(([, name, value]) => [name, value]),
  );
}

async function waitForIndex(/** @type {number} */ size) {
  while (Number((await readMetrics()).documents) !== size) await new Promise((resolve) => setTimeout(resolve, 250));
}

/** Runs the same queries without the index, each way in a process of its own. */
function measureAlternatives(/** @type {number} */ size) {
  for (const engine of ['sqlite', 'minisearch', ...(given.engines.includes('mysql') ? ['mysql'] : [])]) {
    const script = fileURLToPath(new URL('search-alternatives.mjs', import.meta.url));
    const args = ['--max-old-space-size=12000', script, '--engine', engine, '--size', String(size)];
    const { stdout, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${engine} ended with ${status}`);
    alternatives.push({ size, ...JSON.parse(stdout) });
  }
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
      ]);
      const rates = busy.filter((each) => each.engine === engine && each.size === size).map(({ rps }) => rps);
      const share =
        rates.length === 0
          ? 'not measured, it was too short'
          : (median(rates) / of('single look-up', 'rps')).toFixed(2);
      return `\n${engine}, ${figure(size)} creators\n\n${markdownTable(['query', 'p50 ms', 'p99 ms', 'requests/s', 'server CPU µs'], body)}\n\nShare of their rate that look-ups keep while the index is built: ${share}.`;
    }),
  );
  return [
    `${given.connections} connections, medians of ${given.rounds} rounds of ${given.seconds} s. ${machine()}. ${database.note}.`,
    ...parts,
    '\nIndex\n',
    markdownTable(
      [
        'engine',
        'creators',
        'build s',
        'bytes a creator',
        'MiB at most while building',
        'MiB after a start',
        'MiB after the load',
      ],
      builds,
    ),
    ...alternatives.map(({ size, engine, build, memory, rows: measured }) =>
      [
        `\n${figure(size)} creators by ${engine}, one client: built in ${figure(build)} s, ${figure(memory)} MiB in its process\n`,
        markdownTable(
          ['query', 'p50 ms', 'p99 ms'],
          measured.map(({ what, p50, p99 }) => [what, figure(p50), figure(p99)]),
        ),
      ].join('\n'),
    ),
  ].join('\n');
}
