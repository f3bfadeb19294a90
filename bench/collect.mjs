// @ts-check
/**
 * Measures 24 simulated hours of `collect --loop` with an outage and cut connections: calls, CPU time and peak memory of the
 * collector. It is bundled like the product, and starts with the unit's limits of memory.
 *
 *   node bench/collect.mjs --creators 2000 --sources twitch,youtube,bluesky
 */
import { build } from 'esbuild';
import { BUNDLING, COMPILED, threads, withoutOtherDrivers } from '../scripts/bundling.mjs';
import { startDatabase } from './database-server.mjs';
import { options } from './options.mjs';
import { PROJECT_FOLDER, run, WORK_FOLDER } from './processes.mjs';
import { figure, machine, markdownTable, publish, say } from './report.mjs';
import { cli, createStore, removeStore } from './targets/ours.mjs';

/** @typedef {'mysql' | 'sqlite'} Engine */

const given = options(
  { engines: ['sqlite', 'mysql'], sources: ['twitch', 'youtube', 'bluesky'], creators: 2000, 'buffer-pool': '1G' },
  'CPU time and memory of `collect --loop` in a simulated day.',
);

const DATABASE = 'bench_collect';
const FOLDER = `${WORK_FOLDER}collect`;
const PROGRAM = `${FOLDER}/collect-day.mjs`;

/**
 * The service's own modules stay as they were compiled, because esbuild does not know the types of decorated members.
 * @type {import('esbuild').Plugin}
 */
const compiled = {
  name: 'compiled',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[./]+\/src\// }, ({ path }) => ({ path: path.replace(/^[./]+\/src/, COMPILED) })),
};

await build({
  ...BUNDLING,
  entryPoints: [`${PROJECT_FOLDER}bench/servers/collect-day.ts`, ...threads()],
  outdir: FOLDER,
  plugins: [compiled, withoutOtherDrivers],
});

/** @type {{ engine: Engine, source: string, calls: number, us: number, mib: number }[]} */
const runs = [];
const database = await startDatabase(given['buffer-pool'], given.engines);
try {
  for (const engine of /** @type {Engine[]} */ (given.engines)) {
    for (const source of given.sources) {
      const env = await createStore(engine, DATABASE);
      await cli(['migrate'], env);
      const day = JSON.parse(
        await run('node', ['--max-semi-space-size=1', PROGRAM, source, String(given.creators)], {
          env: { ...env, MALLOC_ARENA_MAX: '1' },
        }),
      );
      runs.push({ engine, source, ...day });
      say(`${engine}, ${source}: ${figure(day.calls)} calls, ${figure(day.mib)} MiB`);
    }
    await removeStore(engine, DATABASE);
  }
} finally {
  await database.stop();
}
const rows = runs.map(({ engine, source, calls, us, mib }) => [
  engine,
  source,
  figure(calls),
  figure(us / calls),
  figure(mib),
]);
const report = [
  `A simulated day of ${figure(given.creators)} creators, asked about every 6 hours. ${machine()}. ${database.note}.`,
  markdownTable(['engine', 'source', 'calls', 'CPU µs a call', 'peak MiB'], rows),
].join('\n\n');
publish('collect', report, { options: given, machine: machine(), database: database.note, runs });
