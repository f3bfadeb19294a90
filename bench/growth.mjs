// @ts-check
/**
 * Measures whether the cost of a request stays the same as the data grows and as a client pages deeper. Sends single
 * look-ups, and pages of 50 at several depths, to content tables of several sizes. Few clients, so that queueing adds
 * little. Each size has its own database; they are measured in turn, because the machine varies more over time than
 * the sizes differ.
 *
 *   node bench/growth.mjs --sizes 10000,100000,1000000,10000000 --pages 1,1000,50000 --servers ours,b
 */
import { profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { drive } from './load.mjs';
import { options } from './options.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { b, bWithDocuments } from './targets/b.mjs';
import { checkedRequests } from './targets/index.mjs';
import { ours } from './targets/ours.mjs';

/** @import { Ask } from './loads.mjs' */
/** @typedef {{ server: string, size: number, what: string, round: number, cpu_us: number, database_us: number, p50: number }} Row */

const given = options(
  {
    sizes: [10_000, 100_000, 1_000_000, 10_000_000],
    pages: [1, 1_000, 50_000],
    servers: ['ours', 'b'],
    connections: 16,
    seconds: 3,
    rounds: 3,
    profiles: 100_000,
    'buffer-pool': '4G',
  },
  'Cost of a request by the number of items and the depth of the page. Servers: ours, ours-sqlite, b, bdocs.',
);

const PAGE = 50;
const WARM_UP_SECONDS = 1;
/** @type {Record<string, (size: number) => import('./targets/index.mjs').Target>} */
const SERVERS = {
  ours: (size) => ours('mysql', `bench_growth_${size}`),
  'ours-sqlite': (size) => ours('sqlite', `bench_growth_${size}`),
  b: (size) => b(`bench_growth_b_${size}`),
  bdocs: (size) => bWithDocuments(`bench_growth_b_${size}`),
};
const SIZES = [...given.sizes].sort((one, other) => one - other);

const database = await startDatabase(given['buffer-pool']);
/** @type {Row[]} */
const rows = [];
try {
  for (const name of given.servers) await measureAll(name);
} finally {
  await database.stop();
}
publish('growth', report(), { options: given, machine: machine(), database: database.note, rows });

/** Returns the requests for a size, without pages beyond the end. @returns {[string, Ask[]][]} */
function questions(/** @type {number} */ size) {
  const step = Math.max(1, Math.floor(size / 5_000));
  /** @type {Ask[]} */
  const singles = [];
  for (let index = 0; index < size; index += step) singles.push({ kind: 'item', id: profileId(index) });
  const pages = given.pages
    .filter((page) => page === 1 || page * PAGE < size * 0.97)
    .map((page) => /** @type {[string, Ask[]]} */ ([`page ${page.toLocaleString('en-US')}`, [pageAt(page, size)]]));
  const anywhere = Array.from({ length: 300 }, (_, at) => list((at % 100) / 103 + at / 100_000));
  return [['single item', singles], ...pages, ['pages anywhere', anywhere]];
}

function list(/** @type {number} */ share) {
  return { kind: /** @type {const} */ ('list'), limit: PAGE, share };
}

/** Repeats one page, like page 1, so that only the depth differs. */
function pageAt(/** @type {number} */ page, /** @type {number} */ size) {
  return list(page === 1 ? 0 : (page * PAGE) / size);
}

async function measureAll(/** @type {string} */ name) {
  const make = SERVERS[name];
  if (!make) throw new Error(`unknown server ${name}`);
  const targets = SIZES.map((size) => ({ size, target: make(size) }));
  for (const { size, target } of targets) await target.prepare({ profiles: given.profiles, content: size }, say);
  for (let round = 1; round <= given.rounds; round++) {
    for (const { size, target } of round % 2 === 0 ? targets.toReversed() : targets) {
      await measure(name, size, target, round);
    }
  }
}

async function measure(
  /** @type {string} */ name,
  /** @type {number} */ size,
  /** @type {import('./targets/index.mjs').Target} */ target,
  /** @type {number} */ round,
) {
  const server = await target.start();
  try {
    for (const [what, asks] of questions(size)) {
      const load = {
        origin: server.origin,
        pid: server.pid,
        headers: target.headers,
        requests: await checkedRequests(target, server, asks, { profiles: given.profiles, content: size }),
        connections: given.connections,
      };
      await drive({ ...load, seconds: WARM_UP_SECONDS });
      const sample = await drive({ ...load, seconds: given.seconds });
      if (sample.non2xx > 0) throw new Error(`${name}: ${sample.non2xx} answers were not 2xx`);
      rows.push({
        server: name,
        size,
        what,
        round,
        cpu_us: sample.cpu_us,
        database_us: sample.database_us,
        p50: sample.p50,
      });
      say(`${name} ${figure(size)} items, ${what}: ${figure(sample.cpu_us)} µs, ${figure(sample.p50)} ms`);
    }
  } finally {
    await server.stop();
  }
}

function report() {
  const parts = given.servers.map((server) => {
    const mine = rows.filter((row) => row.server === server);
    const asked = [...new Set(mine.map((row) => row.what))];
    const body = asked.map((what) => {
      const measured = SIZES.filter((size) => mine.some((row) => row.size === size && row.what === what));
      const growth = cost(mine, measured.at(-1), what) / cost(mine, measured[0], what);
      return [what, ...SIZES.map((size) => cell(mine, size, what)), measured.length > 1 ? growth.toFixed(2) : '–'];
    });
    const pages = asked.filter((what) => what.startsWith('page '));
    const depth = cost(mine, SIZES.at(-1), pages.at(-1)) / cost(mine, SIZES.at(-1), pages[0]);
    const head = ['', ...SIZES.map((size) => `${figure(size)} items`), 'largest : smallest'];
    return `\n${server}\n\n${markdownTable(head, body)}\n\n${pages.at(-1)} : ${pages[0]} = ${depth.toFixed(2)}`;
  });
  return [
    `Server CPU µs · database CPU µs · p50 ms a request, ${given.connections} connections, medians of ${given.rounds}. ${machine()}. ${database.note}.`,
    'Ratios are of the sum of both CPU times.',
    ...parts,
  ].join('\n');
}

/** @param {Row[]} mine @param {number | undefined} size @param {string | undefined} what @param {(row: Row) => number} number */
function typical(mine, size, what, number) {
  return median(mine.filter((row) => row.size === size && row.what === what).map(number));
}

function cost(
  /** @type {Row[]} */ mine,
  /** @type {number | undefined} */ size,
  /** @type {string | undefined} */ what,
) {
  return typical(mine, size, what, (row) => row.cpu_us + row.database_us);
}

function cell(/** @type {Row[]} */ mine, /** @type {number} */ size, /** @type {string} */ what) {
  const cpu = typical(mine, size, what, (row) => row.cpu_us);
  const databaseCpu = typical(mine, size, what, (row) => row.database_us);
  return `${figure(cpu)} · ${figure(databaseCpu)} · ${figure(typical(mine, size, what, (row) => row.p50))}`;
}
