// @ts-check
/**
 * Compares the rates of `import` and `ingest` with those of another version of the project, which is built in a folder of
 * its own. Both take turns, so that a slow minute of the machine affects both. `same` loads the same files again.
 *
 *   git worktree add ../before COMMIT && (cd ../before && npm ci && npm run build)
 *   node bench/imports.mjs --before ../before
 */
import { createWriteStream, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { lines, profile } from './data.mjs';
import { startDatabase } from './database-server.mjs';
import { options } from './options.mjs';
import { PROJECT_FOLDER, WORK_FOLDER, run } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say, spread } from './report.mjs';
import { createStore, removeStore } from './targets/ours.mjs';

const given = options(
  {
    before: '',
    profiles: 200_000,
    rounds: 3,
    engines: ['mysql', 'sqlite'],
    commands: ['import', 'ingest'],
    'buffer-pool': '1G',
  },
  'Rates of imports and ingests of new and of stored profiles, against the version in the folder --before.',
);
if (given.before === '') throw new Error('--before FOLDER is missing: a folder with another version, built');

const DATABASE = 'bench_imports';
const NDJSON = `${WORK_FOLDER}imports.ndjson`;
const RESPONSES = `${WORK_FOLDER}imports-responses.ndjson`;
/** @type {Record<string, string[]>} */
const COMMANDS = { import: ['import', 'profiles', NDJSON], ingest: ['ingest', 'twitch', RESPONSES] };
const VERSIONS = { before: resolve(given.before), now: PROJECT_FOLDER };
/** @typedef {keyof typeof VERSIONS} Version */
/** @typedef {{ engine: string, command: string, what: string, round: number, version: Version, rate: number }} Result */

/** @type {Result[]} */
const results = [];

await pipeline(Readable.from(lines('profiles', 0, given.profiles)), createWriteStream(NDJSON));
await pipeline(Readable.from(responses()), createWriteStream(RESPONSES));
const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (let round = 1; round <= given.rounds; round++) {
    /** @type {Version[]} */
    const order = round % 2 === 0 ? ['now', 'before'] : ['before', 'now'];
    for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) {
      for (const command of given.commands) {
        for (const version of order) await measure(engine, command, version, round);
      }
    }
  }
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) await removeStore(engine, DATABASE);
} finally {
  await database.stop();
  for (const path of [NDJSON, RESPONSES]) rmSync(path, { force: true });
}
publish('imports', report(), { options: given, machine: machine(), database: database.note, results });

/** Yields responses of the platform's API, with 100 users each. */
function* responses() {
  for (let at = 0; at < given.profiles; at += 100) {
    const data = Array.from({ length: Math.min(100, given.profiles - at) }, (_, nth) => {
      const { id, name, display_name, description, profile_image, banner_image, statistics } = profile(at + nth);
      return {
        id,
        login: name,
        display_name,
        type: '',
        broadcaster_type: 'affiliate',
        description,
        profile_image_url: profile_image,
        offline_image_url: banner_image,
        view_count: statistics.views_estimated,
        created_at: '2016-12-14T20:32:28Z',
      };
    });
    const response = { url: 'https://api.twitch.tv/helix/users', fetched_at: '2026-01-02T00:00:00Z', body: { data } };
    yield Buffer.from(`${JSON.stringify(response)}\n`);
  }
}

/** Runs a command on an empty store, and then once more. */
async function measure(
  /** @type {'mysql' | 'sqlite'} */ engine,
  /** @type {string} */ command,
  /** @type {Version} */ version,
  /** @type {number} */ round,
) {
  const env = await createStore(engine, DATABASE);
  const cwd = VERSIONS[version];
  const cli = (/** @type {string[]} */ args) => run('node', [`${cwd}/dist/bundle/cli.mjs`, ...args], { env, cwd });
  await cli(['migrate']);
  for (const what of ['new', 'same']) {
    const started = performance.now();
    await cli(COMMANDS[command] ?? []);
    const rate = given.profiles / ((performance.now() - started) / 1000);
    results.push({ engine, command, what, round, version, rate });
    say(`${engine} ${command}, ${what}, ${version}: ${figure(rate)} profiles/s`);
  }
}

function report() {
  const rows = given.engines.flatMap((engine) =>
    given.commands.flatMap((command) =>
      ['new', 'same'].map((what) => {
        const rates = (/** @type {Version} */ version) =>
          results
            .filter((each) => each.engine === engine && each.command === command)
            .filter((each) => each.what === what && each.version === version)
            .map(({ rate }) => rate);
        const [before, now] = [rates('before'), rates('now')];
        // Both lists are in the order of the rounds.
        const ratios = now.map((rate, at) => rate / (before[at] ?? NaN));
        return [engine, command, what, figure(median(before)), figure(median(now)), spread(ratios)];
      }),
    ),
  );
  const head = ['engine', 'command', 'profiles', 'before, profiles/s', 'now, profiles/s', 'now : before'];
  return `${figure(given.profiles)} profiles, medians of ${given.rounds} rounds. ${machine()}. ${database.note}.\n\n${markdownTable(head, rows)}`;
}
