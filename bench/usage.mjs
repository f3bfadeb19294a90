// @ts-check
/**
 * Measures the cost of many usage records: memory and rate of an export, and `GET /usage` over the same month.
 *
 *   node bench/usage.mjs --records 5000000 --engines mysql,sqlite
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { drive } from './load.mjs';
import { startDatabase } from './database-server.mjs';
import { drop } from './mariadb.mjs';
import { options } from './options.mjs';
import { PROJECT_FOLDER, memoryMib } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say } from './report.mjs';
import { CLI, cli, createKey, ours, prepareService, settings } from './targets/ours.mjs';
import { PLATFORM } from './data.mjs';

const given = options(
  { records: 1_000_000, engines: ['mysql', 'sqlite'], group: 64, connections: 16, seconds: 3, rounds: 3 },
  'Export of many usage records, and GET /usage over a month of them.',
);
const DATABASE = 'bench_usage';
const FIRST_DAY = Date.UTC(2026, 9, 1);
const DAYS = 31;
const MONTH = 'start_date=2026-10-01&end_date=2026-10-31';
const OPERATIONS = ['profiles.get', 'profiles.list', 'content.list', 'games.search'];

/** @type {string[][]} */
const body = [];
const database = await startDatabase('4G', given.engines);
try {
  for (const engine of /** @type {('mysql' | 'sqlite')[]} */ (given.engines)) await measure(engine);
} finally {
  await database.stop();
}
publish('usage', report(), { options: given, machine: machine(), database: database.note, body });

async function measure(/** @type {'mysql' | 'sqlite'} */ engine) {
  const env = settings(engine, DATABASE);
  if (engine === 'mysql') await drop(DATABASE);
  await prepareService(engine, { games: 0, profiles: 100, content: 0 }, say, DATABASE);
  const key = await createKey(env);
  const keys = JSON.parse(await cli(['keys', 'list', '--json'], env));
  await seed(engine, String(keys.at(-1).id));

  const started = performance.now();
  const { bytes, lines, peakMib } = await exported(env);
  const seconds = (performance.now() - started) / 1000;
  say(`${engine}: ${lines} lines, ${figure(bytes / 1e6)} MB in ${seconds.toFixed(1)} s, ${figure(peakMib)} MiB`);
  if (lines < given.records) throw new Error(`the export has ${lines} of ${given.records} records`);

  const server = await ours(engine, DATABASE).start();
  const headers = { 'x-api-key': key };
  const load = { origin: server.origin, pid: server.pid, headers, connections: given.connections };
  const requests = [{ method: /** @type {const} */ ('GET'), path: `/usage?${MONTH}` }];
  /** @type {import('./load.mjs').Sample[]} */
  const samples = [];
  try {
    for (let round = 0; round <= given.rounds; round++) {
      const sample = await drive({ ...load, requests, seconds: given.seconds });
      if (sample.non2xx > 0) throw new Error(`${sample.non2xx} answers were not 2xx`);
      if (round > 0) samples.push(sample);
    }
  } finally {
    await server.stop();
  }
  const typical = (/** @type {'p50' | 'p99' | 'rps'} */ what) => figure(median(samples.map((sample) => sample[what])));
  body.push([engine, figure(lines), figure(lines / seconds), figure(peakMib), typical('p50'), typical('p99')]);
}

/** Writes the records through the service's own store, one day of the month after the other. */
async function seed(/** @type {'mysql' | 'sqlite'} */ engine, /** @type {string} */ keyId) {
  const url = settings(engine, DATABASE).DATABASE_URL;
  const { UsageStore } = await import(`${PROJECT_FOLDER}dist/src/receipts/usage-store.js`);
  const { openCurrentDatabase } = await import(`${PROJECT_FOLDER}dist/src/schema/open-database.js`);
  const { readConfig } = await import(`${PROJECT_FOLDER}dist/src/model/config.js`);
  const { toDayNumber } = await import(`${PROJECT_FOLDER}dist/src/receipts/usage-record.js`);
  const opened = await openCurrentDatabase(readConfig({ DATABASE_URL: url }).database);
  const store = new UsageStore(opened);
  const started = performance.now();
  const groupsADay = Math.ceil(given.records / DAYS / given.group);
  for (let day = 0; day < DAYS; day++) {
    /** @type {object[]} */
    let groups = [];
    for (let nth = 0; nth < groupsADay; nth++) {
      const at = FIRST_DAY + day * 86_400_000 + Math.floor((nth / groupsADay) * 86_300_000);
      groups.push({ id: randomUUID(), day: toDayNumber(at), records: records(at, keyId) });
      if (groups.length < 100 && nth < groupsADay - 1) continue;
      await store.write(groups);
      groups = [];
    }
  }
  await opened.close();
  say(`${engine}: recorded in ${figure((performance.now() - started) / 1000)} s`);
}

function records(/** @type {number} */ at, /** @type {string} */ keyId) {
  return Array.from({ length: given.group }, (_, nth) => ({
    request_id: randomUUID(),
    occurred_at: at + nth,
    key_id: keyId,
    operation: OPERATIONS[nth % OPERATIONS.length],
    platform: PLATFORM,
    status: 200,
    quota_units: 1,
    credits: 1,
    items_returned: 1,
    duration_ms: 2.5,
  }));
}

/** Exports the month, counts the lines and samples the memory of the command. */
async function exported(/** @type {Record<string, string>} */ env) {
  const range = ['--from', '2026-10-01', '--to', '2026-10-31'];
  const child = spawn('node', [...CLI, 'usage', 'export', ...range, '--format', 'ndjson'], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = /** @type {number} */ (child.pid);
  let [bytes, lines, peakMib] = [0, 0, 0];
  const watch = setInterval(() => (peakMib = Math.max(peakMib, memoryMib(pid))), 50);
  const ended = new Promise((resolve) => child.once('close', resolve));
  for await (const chunk of child.stdout) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
  }
  const status = await ended;
  clearInterval(watch);
  if (status !== 0) throw new Error(`the export ended with ${status}`);
  return { bytes, lines, peakMib };
}

function report() {
  const head = ['engine', 'records', 'exported/s', 'peak memory, MiB', 'GET /usage p50 ms', 'p99 ms'];
  return [
    `One key's month; GET /usage with ${given.connections} clients, medians of ${given.rounds} rounds. ${machine()}. ${database.note}.`,
    markdownTable(head, body),
  ].join('\n\n');
}
