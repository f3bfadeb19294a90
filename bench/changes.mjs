// @ts-check
/**
 * Measures feeds of changes, exports and histories: whether a page of 50 changes costs as much as a list page of 50, and stays
 * so as the feed gets longer and older (each profile changes three times); profiles a second and memory of `export`; bytes of
 * a year of history of a profile that is observed every day.
 *
 *   node bench/changes.mjs --changes 10000,1000000 --export 1000000 --history 2000
 */
import { spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lines, PLATFORM, profile, profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { drive } from './load.mjs';
import { analyze, connect } from './mariadb.mjs';
import { options } from './options.mjs';
import { peakMemoryMib, PROJECT_FOLDER, WORK_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { cli, CLI, createKey, createStore, ours, removeStore, sqliteFile, untilIndexed } from './targets/ours.mjs';

/** @import { HttpRequest } from './load.mjs' */
/** @typedef {'mysql' | 'sqlite'} Engine */
/** @typedef {{ engine: Engine, changes: number, what: string, round: number, us: number, p50: number }} Page */

const given = options(
  {
    engines: ['mysql', 'sqlite'],
    changes: [10_000, 1_000_000],
    export: 500_000,
    history: 2_000,
    connections: 8,
    seconds: 2,
    rounds: 3,
    'buffer-pool': '2G',
  },
  'Cost of pages of changes, rate of exports, bytes of histories. 0 leaves a part out.',
);

const PAGE = 50;
const VERSIONS = 3;
/** Places in a feed at which pages begin. */
const PLACES = 200;
const DAYS = 365;
const DAY_MS = 86_400_000;
const OUT = `${WORK_FOLDER}changes-export`;

const databaseOf = (/** @type {string | number} */ part) => `bench_changes_${part}`;

/** @type {Page[]} */
const pages = [];
/** @type {{ engine: Engine, rate: number, mib: number }[]} */
const exports = [];
/** @type {{ engine: Engine, bytes: number }[]} */
const histories = [];

const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (const engine of /** @type {Engine[]} */ (given.engines)) {
    for (const changes of given.changes) if (changes > 0) await measurePages(engine, changes);
    if (given.export > 0) await measureExport(engine);
    if (given.history > 0) await measureHistory(engine);
  }
} finally {
  await database.stop();
  rmSync(OUT, { recursive: true, force: true });
}
publish('changes', report(), {
  options: given,
  machine: machine(),
  database: database.note,
  pages,
  exports,
  histories,
});

async function migratedStore(/** @type {Engine} */ engine, /** @type {string | number} */ part) {
  const name = databaseOf(part);
  const env = await createStore(engine, name);
  await cli(['migrate'], env);
  return { name, env };
}

/** Yields the profiles with another name, so that each of them changes. */
function* version(/** @type {number} */ number, /** @type {number} */ profiles) {
  for (let at = 0; at < profiles; at += 500) {
    let piece = '';
    for (let nth = at; nth < Math.min(profiles, at + 500); nth++) {
      piece += `${JSON.stringify({ ...profile(nth), display_name: `version ${number}` })}\n`;
    }
    yield Buffer.from(piece);
  }
}

async function measurePages(/** @type {Engine} */ engine, /** @type {number} */ changes) {
  const { name, env } = await migratedStore(engine, changes);
  const profiles = Math.ceil(changes / VERSIONS);
  for (let number = 1; number <= VERSIONS; number++)
    await cli(['import', 'profiles', '-'], env, version(number, profiles));
  if (engine === 'mysql') {
    const connection = await connect(name);
    await analyze(connection, ['profiles'], { exact: false });
    await connection.end();
  }
  const target = ours(engine, name);
  target.headers['x-api-key'] = await createKey(env);
  const server = await target.start();
  try {
    await untilIndexed(server.origin, target.headers);
    const get = async (/** @type {string} */ path) => {
      const response = await fetch(server.origin + path, { headers: target.headers });
      if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
      return /** @type {any} */ (await response.json());
    };
    const loads = [...(await listPages(get)), ...(await feedPages(get, profiles))];
    // In turns, so that what changes while the server runs affects all of them.
    for (let round = 0; round <= given.rounds; round++) {
      for (const { what, requests } of loads) {
        const sample = await drive({
          origin: server.origin,
          pid: server.pid,
          headers: target.headers,
          requests,
          connections: given.connections,
          seconds: given.seconds,
        });
        if (sample.non2xx > 0) throw new Error(`${sample.non2xx} answers were not 2xx`);
        if (round === 0) continue; // warming up
        pages.push({ engine, changes, what, round, us: sample.cpu_us + sample.database_us, p50: sample.p50 });
      }
    }
    for (const { what } of loads)
      say(`${engine}, ${figure(changes)} changes, ${what}: ${figure(costOf(engine, changes, what))} µs`);
  } finally {
    await server.stop();
  }
  await removeStore(engine, name);
}

function asRequests(/** @type {string[]} */ paths) {
  return paths.map((path) => /** @type {HttpRequest} */ ({ method: 'GET', path }));
}

/** Returns the first pages of a list. Their cost does not depend on the depth: see growth.mjs. */
async function listPages(/** @type {(path: string) => Promise<any>} */ get) {
  const path = `/platforms/${PLATFORM}/profiles?sort=updated_at&limit=${PAGE}`;
  const paths = [path];
  while (paths.length < Math.min(PLACES, 60)) {
    const { next_cursor } = (await get(/** @type {string} */ (paths.at(-1)))).paging;
    if (next_cursor === null) break;
    paths.push(`${path}&cursor=${next_cursor}`);
  }
  return [{ what: 'list', requests: asRequests(paths) }];
}

/** Follows the feed, and returns pages of its beginning, of its end, and of everywhere. */
async function feedPages(/** @type {(path: string) => Promise<any>} */ get, /** @type {number} */ profiles) {
  const path = `/platforms/${PLATFORM}/changes?kind=profiles`;
  const cursors = [''];
  let items = 0;
  for (let cursor = ''; ;) {
    const { payload, paging } = await get(`${path}&limit=100${cursor}`);
    items += payload.length;
    if (!paging.has_more) break;
    cursors.push((cursor = `&cursor=${paging.next_cursor}`));
  }
  if (items !== profiles) throw new Error(`the feed has ${items} changes instead of ${profiles}`);
  const at = (/** @type {number} */ from, /** @type {number} */ to) => {
    const some = cursors.slice(Math.floor(from * cursors.length), Math.ceil(to * cursors.length));
    const step = Math.max(1, Math.floor(some.length / PLACES));
    return asRequests(some.filter((_, nth) => nth % step === 0).map((cursor) => `${path}&limit=${PAGE}${cursor}`));
  };
  return [
    { what: 'changes, beginning', requests: at(0, 0.1) },
    { what: 'changes, end', requests: at(0.9, 1) },
    { what: 'changes, anywhere', requests: at(0, 1) },
  ];
}

async function measureExport(/** @type {Engine} */ engine) {
  const { name, env } = await migratedStore(engine, 'export');
  await cli(['import', 'profiles', '-'], env, lines('profiles', 0, given.export));
  for (let round = 1; round <= given.rounds; round++) {
    rmSync(OUT, { recursive: true, force: true });
    const started = performance.now();
    const mib = await peakOf(['export', 'profiles', '--out', OUT], env);
    const rate = given.export / ((performance.now() - started) / 1000);
    exports.push({ engine, rate, mib });
    say(`${engine} export: ${figure(rate)} profiles/s, ${figure(mib)} MiB`);
  }
  await removeStore(engine, name);
}

/** Runs a command. @returns its peak memory in MiB */
async function peakOf(/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) {
  const child = spawn('node', [...CLI, ...args], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let mib = 0;
  while (child.exitCode === null && child.signalCode === null) {
    // Zero once it has ended.
    mib = Math.max(mib, peakMemoryMib(Number(child.pid)));
    await Promise.race([ended, sleep(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${child.exitCode ?? child.signalCode}`);
  return mib;
}

/** Loads the days in order, as they come in operation. */
async function measureHistory(/** @type {Engine} */ engine) {
  const { name, env } = await migratedStore(engine, 'history');
  const before = await sizeOf(engine, name);
  await cli(['import', 'history', '-'], env, days());
  histories.push({ engine, bytes: ((await sizeOf(engine, name)) - before) / given.history });
  await removeStore(engine, name);
}

function* days() {
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(2025, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
    let piece = '';
    for (let nth = 0; nth < given.history; nth++) {
      const { followers, views_estimated } = profile(nth).statistics;
      const counts = { followers: followers + day, views_estimated: views_estimated + 100 * day };
      piece += `${JSON.stringify({ platform_id: PLATFORM, profile_id: profileId(nth), date, ...counts })}\n`;
    }
    yield Buffer.from(piece);
  }
}

async function sizeOf(/** @type {Engine} */ engine, /** @type {string} */ name) {
  if (engine === 'sqlite') return statSync(sqliteFile(name)).size;
  const connection = await connect(name);
  await connection.query('ANALYZE TABLE profile_history');
  const [rows] = await connection.query(
    "SELECT data_length + index_length AS size FROM information_schema.tables WHERE table_schema = ? AND table_name = 'profile_history'",
    [name],
  );
  await connection.end();
  return Number(/** @type {any[]} */ (rows)[0].size);
}

function costOf(/** @type {Engine} */ engine, /** @type {number} */ changes, /** @type {string} */ what) {
  return median(
    pages
      .filter((page) => page.engine === engine && page.changes === changes && page.what === what)
      .map(({ us }) => us),
  );
}

function report() {
  const engines = /** @type {Engine[]} */ (given.engines);
  const whats = [...new Set(pages.map(({ what }) => what))];
  const rows = engines.flatMap((engine) =>
    whats.map((what) => [
      engine,
      what,
      ...given.changes.map((changes) => {
        const cost = costOf(engine, changes, what);
        return `${figure(cost)} (${(cost / costOf(engine, changes, 'list')).toFixed(2)})`;
      }),
    ]),
  );
  const others = engines.map((engine) => {
    const own = exports.filter((each) => each.engine === engine);
    const history = histories.find((each) => each.engine === engine);
    return [
      engine,
      figure(median(own.map(({ rate }) => rate))),
      figure(Math.max(...own.map(({ mib }) => mib))),
      figure(history?.bytes ?? NaN),
    ];
  });
  const head = ['engine', `page of ${PAGE}`, ...given.changes.map((changes) => `${figure(changes)} changes`)];
  return [
    `CPU µs of server and database a request, in brackets the ratio to the list page. ${machine()}. ${database.note}.`,
    markdownTable(head, rows),
    markdownTable(['engine', 'export, profiles/s', 'MiB', 'history, bytes a profile and year'], others),
  ].join('\n\n');
}
