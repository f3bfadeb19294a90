// @ts-check
/**
 * Measures `enrich analysis` against an endpoint in this process that answers at once: its own CPU time for each creator, its peak
 * memory, and creators a second.
 *
 *   node bench/enrich.mjs --creators 10000 --items 30 --concurrency 16
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { content, profile, profileId } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { options } from './options.mjs';
import { cpuUs, peakMemoryMib, PROJECT_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { cli, CLI, createStore, removeStore } from './targets/ours.mjs';

/** @typedef {'mysql' | 'sqlite'} Engine */

const given = options(
  {
    engines: ['sqlite', 'mysql'],
    creators: 10_000,
    items: 30,
    concurrency: 16,
    rounds: 3,
    'buffer-pool': '1G',
  },
  'CPU time and memory of `enrich analysis`.',
);

const DATABASE = 'bench_enrich';

const classification = {
  topic: 'Gaming',
  category: 'Adventure games',
  reason: 'Most titles and categories are about them.',
};

/** An answer of about 900 tokens that is valid for every creator. */
const ANSWER = JSON.stringify({
  channel_type: 'individual_creator',
  gender: null,
  age_range: 'unknown',
  primary_language: 'en',
  mpaa: { rating: 'PG', reason: 'Nothing in the titles is violent.' },
  content_formats: Array.from({ length: 4 }, (_, index) => ({
    content_format: `Live gameplay ${index}`,
    strength_rating: 8,
    parent: { value: 'Gaming', index },
  })),
  interests: Array.from({ length: 8 }, (_, index) => ({
    interest: `Adventure games ${index}`,
    strength_rating: 7,
    reason: 'Titles and categories name them.',
    classification: { topic: 'Gaming', category: 'Adventure games', index },
  })),
  biography: 'The channel shows games, mostly live. It plays one game for several days, and names it in the title.',
  classifications: [classification, classification, classification],
  primary_classification: classification,
  real_first_name: null,
  real_last_name: null,
  aliases: [],
  birthday: null,
  residence: null,
  nationality: null,
  height_in_inches: null,
  family: { has_children: null, relationship_status: 'unknown', notable_family_members: [] },
  appearance: {
    shows_face: null,
    is_vtuber: null,
    is_ai_generated_influencer: null,
    notable_physical_characteristics: [],
  },
  platforms: [],
  background: { education: [], original_motivation: 'unknown' },
  business: { collaborations: [], monetization: [], ventures: [] },
  evidence: [],
});

const REPLY = JSON.stringify({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: ANSWER } }],
  usage: { prompt_tokens: 6000, completion_tokens: 900 },
});

/** @type {{ engine: Engine, round: number, us: number, mib: number, rate: number }[]} */
const runs = [];

const database = await startDatabase(given['buffer-pool'], given.engines);
const endpoint = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(REPLY));
});
await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', () => resolve(undefined)));
try {
  for (const engine of /** @type {Engine[]} */ (given.engines)) {
    for (let round = 1; round <= given.rounds; round++) {
      const env = await load(engine);
      const { us, mib, seconds } = await measure(env);
      runs.push({ engine, round, us: us / given.creators, mib, rate: given.creators / seconds });
      say(`${engine}: ${figure(us / given.creators)} µs a creator, ${figure(mib)} MiB`);
    }
    await removeStore(engine, DATABASE);
  }
} finally {
  endpoint.close();
  await database.stop();
}
publish('enrich', report(), { options: given, machine: machine(), database: database.note, runs });

async function load(/** @type {Engine} */ engine) {
  const address = /** @type {import('node:net').AddressInfo} */ (endpoint.address());
  const env = {
    ...(await createStore(engine, DATABASE)),
    ENRICH_BASE_URL: `http://127.0.0.1:${address.port}/v1`,
    ENRICH_MODEL: 'bench',
  };
  await cli(['migrate'], env);
  await cli(
    ['import', 'profiles', '-'],
    env,
    pieces(given.creators, (nth) => [profile(nth)]),
  );
  await cli(['import', 'content', '-'], env, pieces(given.creators, itemsOf));
  return env;
}

function itemsOf(/** @type {number} */ nth) {
  return Array.from({ length: given.items }, (_, item) => ({
    ...content(nth * given.items + item),
    profile_id: profileId(nth),
  }));
}

/** Yields the lines of records in pieces. */
function* pieces(/** @type {number} */ count, /** @type {(nth: number) => object[]} */ recordsOf) {
  for (let nth = 0; nth < count; nth++) {
    yield Buffer.from(
      recordsOf(nth)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
  }
}

/** Runs the command. @returns its CPU time and peak memory, as they were at most 100 ms before its end */
async function measure(/** @type {Record<string, string>} */ env) {
  const args = ['enrich', 'analysis', '--max-tokens', '100000000000', '--concurrency', String(given.concurrency)];
  const started = performance.now();
  const child = spawn('node', [...CLI, ...args, '--json'], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  let [us, mib] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    // Zero once it has ended.
    us = Math.max(us, cpuUs(Number(child.pid)));
    mib = Math.max(mib, peakMemoryMib(Number(child.pid)));
    await Promise.race([ended, sleep(100)]);
  }
  await ended;
  const { made } = JSON.parse(output || '{}');
  if (child.exitCode !== 0 || made !== given.creators) throw new Error(`enrich analysis failed: ${output}`);
  return { us, mib, seconds: (performance.now() - started) / 1000 };
}

function report() {
  const rows = /** @type {Engine[]} */ (given.engines).map((engine) => {
    const own = runs.filter((each) => each.engine === engine);
    return [
      engine,
      figure(median(own.map(({ us }) => us))),
      figure(Math.max(...own.map(({ mib }) => mib))),
      figure(median(own.map(({ rate }) => rate))),
    ];
  });
  return [
    `${figure(given.creators)} creators with ${given.items} items each. ${machine()}. ${database.note}.`,
    markdownTable(['engine', 'CPU µs a creator', 'peak MiB', 'creators/s'], rows),
  ].join('\n\n');
}
