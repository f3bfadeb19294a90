// @ts-check
/**
 * Switches off each optimisation in turn and prints its gain: the service against a build without the optimisation, in
 * the same run.
 *
 *   npm run ablation -- --rounds 5 --seconds 2
 *   npm run ablation -- --switches interceptor,group-commit --engines mysql --loads single
 *   npm run ablation -- --against ../before/dist/bundle/main.mjs --loads single,list,batch,game --starts 8 --rounds 2
 *
 * Both servers of a switch are restarted and warmed up, so that they have the same age. Each load is measured on one server
 * and, seconds later, on the other; each such pair gives a ratio. A ratio above 1 is a gain. Two processes of one build
 * differ by up to a tenth, for as long as they run: `--starts` has each pair measured in several processes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { buildUnchanged, buildWithout } from './ablation/builds.mjs';
import { SWITCHES } from './ablation/switches.mjs';
import { startDatabase } from './database-server.mjs';
import { GENERATOR, drive } from './load.mjs';
import { LOADS, apiRequests, asksOf, wrongWith } from './loads.mjs';
import { options } from './options.mjs';
import { PROJECT_FOLDER, WORK_FOLDER, run, startServer } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say, spread } from './report.mjs';
import { checkedRequests } from './targets/index.mjs';
import { createKey, prepareService, settings, untilIndexed } from './targets/ours.mjs';

/** @import { Engine, Switch } from './ablation/switches.mjs' */
/** @import { Sample } from './load.mjs' */

/**
 * @typedef {{ engine: Engine, switch: string, load: string, round: number, with: Sample, without: Sample }} Pair
 * @typedef {{ engine: Engine, switch: string, start: number, memory: number }} Process ratios of one start
 * @typedef {{ server: import('./processes.mjs').RunningServer,
 *   requests: Map<string, import('./load.mjs').HttpRequest[]> }} Running
 */

const given = options(
  {
    switches: SWITCHES.map(({ name }) => name),
    engines: ['mysql', 'sqlite'],
    loads: [...Object.keys(LOADS), 'search'],
    against: '',
    profiles: 100_000,
    content: 300_000,
    games: 100_000,
    starts: 1,
    rounds: 5,
    seconds: 2,
    'warmup-requests': 10_000,
    connections: 64,
    'buffer-pool': '4G',
    allowance: false,
    write: false,
  },
  'Switches each optimisation off in turn, or compares with another build: --against PROGRAM. `--allowance` gives the key ' +
    'a month allowance. `--write` puts the tables into docs/performance.md.',
);

const DATABASE = 'bench_ablation';
const PORTS = { with: 4020, without: 4021 };
const SETTLE_SECONDS = 1;

/** Stands in reports for the program of `--against`, whose path says nothing to others. */
const ANOTHER_BUILD = 'another build';
const PAGE = `${PROJECT_FOLDER}docs/performance.md`;
const MARKS = ['<!-- ablation -->', '<!-- /ablation -->'];
const NONE = '–';
const ENGINE_TITLES = { sqlite: 'embedded', mysql: 'MySQL' };
/** @type {Record<string, string>} */
const LOAD_TITLES = {
  ...Object.fromEntries(Object.values(LOADS).map((load) => [load.name, load.title])),
  search: 'search',
};

const unknown = [
  ...given.switches.filter((name) => !SWITCHES.some((one) => one.name === name)),
  ...given.loads.filter((name) => !(name in LOAD_TITLES)),
  ...given.engines.filter((name) => !(name in ENGINE_TITLES)),
];
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);

const engines = /** @type {Engine[]} */ (given.engines);
/** @type {Switch[]} */
const switches = given.against
  ? [{ name: 'another-build', title: ANOTHER_BUILD, edits: [], program: resolve(given.against) }]
  : SWITCHES.filter(({ name }) => given.switches.includes(name));
const sizes = { profiles: given.profiles, content: given.content };
const isInForce = (/** @type {Switch} */ one, /** @type {Engine} */ engine) => one.engines?.includes(engine) ?? true;
const loadsOf = (/** @type {Switch} */ one) =>
  given.loads.filter((name) => one.loads?.includes(name) ?? name !== 'search');

const unchanged = await buildUnchanged();
/** @type {Map<string, string>} */
const programs = new Map();
for (const one of switches) {
  say(`building without ${one.name}`);
  programs.set(one.name, resolve(await buildWithout(one), one.program ?? 'dist/bundle/main.mjs'));
}

/** Load that other processes put on the machine. */
const [loadBefore = 0] = loadavg();
/** @type {Pair[]} */
const pairs = [];
/** @type {Process[]} */
const processes = [];
/** @type {string[]} */
const failures = [];
const database = await startDatabase(given['buffer-pool'], engines);
try {
  for (const engine of engines) {
    await prepareService(engine, { games: given.games, ...sizes }, say, DATABASE);
    const headers = { 'x-api-key': await createKey(settings(engine, DATABASE), given.allowance) };
    for (const one of switches) {
      if (!isInForce(one, engine) || loadsOf(one).length === 0) continue;
      // Continue, because the other switches are independent.
      await compare(engine, one, headers).catch((error) => failures.push(`${engine} ${one.name}: ${error.message}`));
      say(
        `${engine} ${one.name}: ${loadsOf(one)
          .map((load) => `${load} ${cell(engine, one, load)}`)
          .join(', ')}`,
      );
    }
  }
} finally {
  await database.stop();
}
publish('ablation', `${summary()}\n${details()}`, {
  options: given.against ? { ...given, against: ANOTHER_BUILD } : given,
  machine: machine(),
  database: database.note,
  pairs,
  processes,
});
if (failures.length > 0) throw new Error(`not measured:\n${failures.join('\n')}`);
if (given.write) await writePage(summary());

/** Measures one switch on one database. */
async function compare(
  /** @type {Engine} */ engine,
  /** @type {Switch} */ one,
  /** @type {Record<string, string>} */ headers,
) {
  for (let nth = 1; nth <= given.starts; nth++) await compareProcesses(engine, one, headers, nth % 2 === 1);
}

/** Measures one process of each build. @param startsFirst whether the build with the optimisation is started first */
async function compareProcesses(
  /** @type {Engine} */ engine,
  /** @type {Switch} */ one,
  /** @type {Record<string, string>} */ headers,
  /** @type {boolean} */ startsFirst,
) {
  const loads = loadsOf(one);
  const programOf = {
    with: `${unchanged}dist/bundle/main.mjs`,
    without: /** @type {string} */ (programs.get(one.name)),
  };
  /** @type {Map<'with' | 'without', Running>} */
  const started = new Map();
  const order = /** @type {('with' | 'without')[]} */ (startsFirst ? ['with', 'without'] : ['without', 'with']);
  try {
    for (const which of order) started.set(which, await start(engine, which, programOf[which], loads, headers));
    const kept = /** @type {Running} */ (started.get('with'));
    const removed = /** @type {Running} */ (started.get('without'));
    const mine = [];
    for (let round = 1; round <= given.rounds; round++) {
      for (const load of loads) {
        // The order of a pair alternates from round to round.
        const first = round % 2 ? kept : removed;
        const second = round % 2 ? removed : kept;
        const samples = new Map();
        for (const running of [first, second]) {
          await driven(running, load, headers, SETTLE_SECONDS);
          samples.set(running, await driven(running, load, headers, given.seconds));
        }
        mine.push({ engine, switch: one.name, load, round, with: samples.get(kept), without: samples.get(removed) });
      }
    }
    pairs.push(...mine);
    const peak = (/** @type {'with' | 'without'} */ which) => Math.max(...mine.map((pair) => pair[which].memory_mib));
    processes.push({
      engine,
      switch: one.name,
      start: removed.server.startMs / kept.server.startMs,
      memory: peak('without') / peak('with'),
    });
  } finally {
    for (const { server } of started.values()) await server.stop();
  }
}

/** Starts a server, checks its answers and warms it up. @returns {Promise<Running>} */
async function start(
  /** @type {Engine} */ engine,
  /** @type {'with' | 'without'} */ which,
  /** @type {string} */ program,
  /** @type {string[]} */ loads,
  /** @type {Record<string, string>} */ headers,
) {
  const name = `ablation-${which}`;
  const port = PORTS[which];
  // Builds of two versions would each rebuild the search index of the other.
  const env = { ...settings(engine, DATABASE), PORT: String(port), DATA_DIR: `${WORK_FOLDER}${name}` };
  const server = await startServer({ name, command: 'node', args: [program], env, port, ready: '/health' });
  /** @type {Running} */
  const running = { server, requests: new Map() };
  const target = {
    name,
    title: name,
    headers,
    prepare: async () => {},
    start: async () => server,
    requests: apiRequests,
    wrongWith,
  };
  try {
    await untilIndexed(server.origin, headers);
    for (const load of loads) {
      const declared = LOADS[load];
      const requests = declared
        ? await checkedRequests(target, server, asksOf(declared, sizes), sizes)
        : searchRequests();
      running.requests.set(load, requests);
      await warmUp(running, load, headers);
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return running;
}

/** Drives a server until V8 has compiled hot code. Counts requests instead of time, because a busy machine answers few per
 * second. */
async function warmUp(
  /** @type {Running} */ running,
  /** @type {string} */ load,
  /** @type {Record<string, string>} */ headers,
) {
  for (let answered = 0; answered < given['warmup-requests'];) {
    answered += Math.max(1, (await driven(running, load, headers, 1)).rps);
  }
}

/** Searches by prefixes that many names have. */
function searchRequests() {
  return ['the', ...'abcdefghijklmnopqrstuvwxyz'].map((query) => ({
    method: /** @type {const} */ ('GET'),
    path: `/games/search?limit=20&query=${query}`,
  }));
}

/** Drives one server with one load while the other is idle. */
async function driven(
  /** @type {Running} */ { server, requests },
  /** @type {string} */ load,
  /** @type {Record<string, string>} */ headers,
  /** @type {number} */ seconds,
) {
  const { origin, pid } = server;
  const { connections } = given;
  const sample = await drive({ origin, pid, headers, requests: requests.get(load) ?? [], connections, seconds });
  if (sample.non2xx > 0) throw new Error(`${server.name}, ${load}: ${sample.non2xx} answers were not 2xx`);
  return sample;
}

/** Formats the run, and a table of both databases, for docs/performance.md. */
function summary() {
  const day = new Date().toISOString().slice(0, 10);
  const both = (/** @type {(engine: Engine) => string} */ value) => {
    const texts = engines.map(value);
    return texts.every((text) => text === NONE) ? NONE : texts.join('/');
  };
  const measured = switches.filter((one) => processes.some((its) => its.switch === one.name));
  const loads = given.loads.filter((load) => pairs.some((pair) => pair.load === load));
  return [
    `${day}, ${given.starts > 1 ? `${given.starts} starts, ` : ''}${given.rounds} rounds of ${given.seconds} s after ${figure(given['warmup-requests'])} requests of each load, ` +
      `${given.connections} connections; ${figure(given.profiles)} profiles, ${figure(given.content)} items, ` +
      `${figure(given.games)} games; ${GENERATOR}; ${machine()}, load average ${loadBefore.toFixed(1)} before the run. ${database.note}.\n`,
    markdownTable(
      [
        `Optimisation, ${engines.map((engine) => ENGINE_TITLES[engine]).join('/')}`,
        ...loads.map((load) => LOAD_TITLES[load] ?? load),
        'p99, single',
        'memory',
        'start',
      ],
      measured.map((one) => [
        one.title,
        ...loads.map((load) => both((engine) => shown(ratiosOf(engine, one, load).map(({ rps }) => rps)))),
        both((engine) => shown(ratiosOf(engine, one, 'single').map(({ p99 }) => p99))),
        both((engine) => shown(processesOf(engine, one).map(({ memory }) => memory))),
        both((engine) => shown(processesOf(engine, one).map(({ start }) => start))),
      ]),
    ),
  ].join('\n');
}

/** Formats requests per second, CPU time and 99th percentile of each load, for each database. */
function details() {
  return engines
    .map((engine) => {
      const measured = switches.filter((one) => processesOf(engine, one).length > 0);
      const rows = measured.map((one) => [one.title, ...given.loads.map((load) => cell(engine, one, load))]);
      const head = ['requests/s · CPU time · 99th percentile', ...given.loads.map((load) => LOAD_TITLES[load] ?? load)];
      return `\n## ${ENGINE_TITLES[engine]}\n\n${markdownTable(head, rows)}`;
    })
    .join('\n');
}

function cell(/** @type {Engine} */ engine, /** @type {Switch} */ one, /** @type {string} */ load) {
  const ratios = ratiosOf(engine, one, load);
  if (ratios.length === 0) return NONE;
  return [ratios.map(({ rps }) => rps), ratios.map(({ cpu }) => cpu), ratios.map(({ p99 }) => p99)]
    .map(spread)
    .join(' · ');
}

/** Computes the ratios of each pair; above 1 is a gain. CPU time is per request, of server and database. */
function ratiosOf(/** @type {Engine} */ engine, /** @type {Switch} */ one, /** @type {string} */ load) {
  const cpu = (/** @type {Sample} */ sample) => sample.cpu_us + sample.database_us;
  return pairs
    .filter((pair) => pair.engine === engine && pair.switch === one.name && pair.load === load)
    .map((pair) => ({
      rps: pair.with.rps / pair.without.rps,
      cpu: cpu(pair.without) / cpu(pair.with),
      p99: pair.without.p99 / pair.with.p99,
    }));
}

function processesOf(/** @type {Engine} */ engine, /** @type {Switch} */ one) {
  return processes.filter((its) => its.engine === engine && its.switch === one.name);
}

function shown(/** @type {number[]} */ ratios) {
  return ratios.length === 0 ? NONE : median(ratios).toFixed(2);
}

/** Writes the summary between the marks in docs/performance.md. */
async function writePage(/** @type {string} */ text) {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(`${MARKS[0]}\n`);
  const after = rest?.split(MARKS[1] ?? '')[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no marks ${MARKS.join(' and ')}`);
  writeFileSync(PAGE, `${before}${MARKS[0]}\n\n${text}\n\n${MARKS[1]}${after}`);
  await run('npx', ['prettier', '--write', PAGE]);
  say(`written: ${PAGE}`);
}
