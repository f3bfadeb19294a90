// @ts-check
/**
 * Compares servers: sends the same requests to B, to ours with everything switched on, and to a server as tutorials write
 * it. They take turns over several rounds, so that a slow minute of the machine affects all of them.
 *
 *   npm run bench -- --profiles 1000000 --content 3000000 --rounds 3 --seconds 8 --connections 64,256
 *
 * All servers run for the whole time and are warmed up before the first round; otherwise the first seconds would measure
 * V8's compiler. Ratios are computed within a round, so that their spread excludes changes of the machine over time.
 */
import { startDatabase } from './database-server.mjs';
import { GENERATOR, drive } from './load.mjs';
import { LOADS, asksOf } from './loads.mjs';
import { options } from './options.mjs';
import { figure, machine, markdownTable, median, publish, say, spread } from './report.mjs';
import { TARGETS, checkedRequests } from './targets/index.mjs';

/** @typedef {import('./load.mjs').Sample & { round: number, server: string, load: string, connections: number, start_ms: number }} Result */
/**
 * @typedef {{ target: import('./targets/index.mjs').Target, server: import('./processes.mjs').RunningServer,
 *   startMs: number, requests: Map<string, import('./load.mjs').HttpRequest[]> }} Running the requests by their load
 */
/** @typedef {'rps' | 'cpu_us' | 'database_us' | 'p50' | 'p99'} Measured */

const given = options(
  {
    profiles: 1_000_000,
    content: 3_000_000,
    rounds: 3,
    seconds: 8,
    warmup: 5,
    connections: [64],
    servers: ['b', 'ours', 'tutorial'],
    loads: Object.keys(LOADS),
    db: 'mysql',
    'with-directus': false,
    'buffer-pool': '4G',
  },
  'Compares the service with servers over the same data. Servers: b, bdocs, tutorial, ours, ours-sqlite, directus.',
);

/** Warm-up after another server's turn, which opens connections and fills processor caches. */
const SETTLE_SECONDS = 1;
const STARTS = 3;

const names = [...given.servers, ...(given['with-directus'] ? ['directus'] : [])].map((name) =>
  name === 'ours' && given.db === 'sqlite' ? 'ours-sqlite' : name,
);
const unknown = [...names.filter((name) => !TARGETS[name]), ...given.loads.filter((name) => !LOADS[name])];
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);

const targets = names.map((name) => /** @type {() => import('./targets/index.mjs').Target} */ (TARGETS[name])());
/** The server that others are compared with. */
const base = /** @type {import('./targets/index.mjs').Target} */ (
  targets.find(({ name }) => name === 'b') ?? targets[0]
);
const loads = given.loads.map((name) => /** @type {import('./loads.mjs').Load} */ (LOADS[name]));
const sizes = { profiles: given.profiles, content: given.content };

const database = await startDatabase(given['buffer-pool']);
/** @type {Running[]} */
const running = [];
/** @type {Result[]} */
const results = [];
try {
  for (const target of targets) await target.prepare(sizes, say);
  for (const target of targets) running.push(await started(target));
  for (const one of running) await warm(one);
  for (let round = 1; round <= given.rounds; round++) await measure(round);
} finally {
  for (const { server } of running) await server.stop();
  await database.stop();
}
publish('run', report(), { options: given, machine: machine(), database: database.note, results });

/** Starts a server several times, to measure the start. The last one keeps running. @returns {Promise<Running>} */
async function started(/** @type {import('./targets/index.mjs').Target} */ target) {
  let server = await target.start();
  const starts = [server.startMs];
  while (starts.length < STARTS) {
    await server.stop();
    server = await target.start();
    starts.push(server.startMs);
  }
  return { target, server, startMs: median(starts), requests: new Map() };
}

/** Checks a server's responses to every load, and drives it until V8 has compiled hot code. */
async function warm(/** @type {Running} */ one) {
  for (const load of loads) {
    one.requests.set(load.name, await checkedRequests(one.target, one.server, asksOf(load, sizes), sizes));
    for (const connections of given.connections) await driven(one, load.name, connections, given.warmup);
  }
}

/**
 * Runs a round: each load goes to one server after the other, so that compared samples are seconds apart, not minutes.
 * The first server changes from round to round.
 */
async function measure(/** @type {number} */ round) {
  const turn = round % running.length;
  for (const load of loads.map(({ name }) => name))
    for (const connections of given.connections)
      for (const one of [...running.slice(turn), ...running.slice(0, turn)]) {
        await driven(one, load, connections, SETTLE_SECONDS);
        const sample = await driven(one, load, connections, given.seconds);
        const server = one.target.name;
        results.push({ round, server, load, connections, start_ms: one.startMs, ...sample });
        say(
          `round ${round} ${server.padEnd(12)} ${load.padEnd(7)} ${connections} ${figure(sample.rps)}/s  ${figure(sample.cpu_us)} µs`,
        );
      }
}

/** Drives one server with one load while the others are idle. */
function driven(
  /** @type {Running} */ { target, server, requests },
  /** @type {string} */ load,
  /** @type {number} */ connections,
  /** @type {number} */ seconds,
) {
  const asked = /** @type {import('./load.mjs').HttpRequest[]} */ (requests.get(load));
  const { origin, pid } = server;
  return drive({ origin, pid, headers: target.headers, requests: asked, connections, seconds });
}

function report() {
  const failures = results.reduce((sum, result) => sum + result.non2xx, 0);
  return [
    `${figure(given.profiles)} profiles, ${figure(given.content)} items, ${given.rounds} rounds of ${given.seconds} s after ${given.warmup} s for each load, ${GENERATOR}.`,
    `${machine()}. ${database.note}, for all servers alike.`,
    failures > 0 ? `**${failures} answers were not 2xx: these numbers are worth nothing.**` : 'Every answer was 2xx.',
    ...given.connections.flatMap(reportAt),
    '\nStart to first answer (ms, median), and the most memory that was resident, all loads together (MiB)\n',
    markdownTable(
      ['server', 'start', 'memory'],
      targets.map(({ name, title }) => {
        const mine = results.filter(({ server }) => server === name);
        return [
          title,
          figure(median(mine.map((result) => result.start_ms))),
          figure(Math.max(...mine.map((result) => result.memory_mib))),
        ];
      }),
    ),
  ].join('\n');
}

/** Prints the tables for a number of connections. */
function reportAt(/** @type {number} */ connections) {
  const here = results.filter((result) => result.connections === connections);
  const typical = (/** @type {string} */ server, /** @type {string} */ load, /** @type {Measured} */ what) =>
    figure(
      median(here.filter((result) => result.server === server && result.load === load).map((result) => result[what])),
    );
  const head = ['server', ...loads.map((load) => load.title)];
  const table = (/** @type {(server: string, load: string) => string} */ cell) =>
    markdownTable(
      head,
      targets.map((target) => [target.title, ...loads.map((load) => cell(target.name, load.name))]),
    );
  const others = targets.filter((target) => target.name !== base.name);
  const ratios = (/** @type {(mine: Result, its: Result) => number} */ ratio) =>
    markdownTable(
      head,
      others.map((target) => [
        target.title,
        ...loads.map((load) => spread(ratioByRound(here, target.name, load.name, ratio))),
      ]),
    );
  return [
    `\n## ${connections} connections`,
    '\nRequests/s · server CPU µs a request · database CPU µs a request (medians)\n',
    table((server, load) =>
      [typical(server, load, 'rps'), typical(server, load, 'cpu_us'), typical(server, load, 'database_us')].join(' · '),
    ),
    '\nLatency, 50th / 99th percentile, ms (medians)\n',
    table((server, load) => `${typical(server, load, 'p50')} / ${typical(server, load, 'p99')}`),
    `\nRequests/s as a multiple of ${base.title}: median of the rounds (lowest–highest)\n`,
    ratios((mine, its) => mine.rps / its.rps),
    '\nServer CPU time a request there, divided by the one here (above 1 is better than there): median (lowest–highest)\n',
    ratios((mine, its) => its.cpu_us / mine.cpu_us),
    '\n99th percentile as a multiple of the one there: median (lowest–highest)\n',
    ratios((mine, its) => mine.p99 / its.p99),
  ];
}

function ratioByRound(
  /** @type {Result[]} */ here,
  /** @type {string} */ server,
  /** @type {string} */ load,
  /** @type {(mine: Result, its: Result) => number} */ ratio,
) {
  return here
    .filter((result) => result.server === server && result.load === load)
    .flatMap((mine) => {
      const its = here.find((other) => other.server === base.name && other.load === load && other.round === mine.round);
      return its ? [ratio(mine, its)] : [];
    });
}
