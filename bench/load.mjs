// @ts-check
/**
 * Drives a server with a list of requests over N connections, and measures throughput, latency and CPU time. Uses wrk if
 * installed: a generator in JavaScript takes much more CPU time, which a small machine takes from the server.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { databaseProcess } from './database-server.mjs';
import { WORK_FOLDER, cpuUs, peakMemoryMib, run } from './processes.mjs';

/**
 * @typedef {{ method: 'GET' | 'POST' | 'SEARCH', path: string, body?: string }} HttpRequest
 * @typedef {{ origin: string, pid: number, headers: Record<string, string>, requests: HttpRequest[],
 *   connections: number, seconds: number, own?: boolean }} Drive `own`: latencies as each client saw them, see requests.lua
 * @typedef {{ rps: number, p50: number, p99: number, non2xx: number, cpu_us: number, database_us: number,
 *   memory_mib: number }} Sample p50 and p99 in ms; CPU per request, of the server and of the database; memory at its
 *   highest since the server's start
 */

const HAS_WRK = spawnSync('wrk', ['-v']).error === undefined;
export const GENERATOR = HAS_WRK ? 'wrk, one thread' : 'autocannon';

/** @returns {Promise<Sample>} */
export async function drive(/** @type {Drive} */ load) {
  const database = databaseProcess();
  const used = () => ({ server: cpuUs(load.pid), database: database ? cpuUs(database) : 0 });
  const before = used();
  const result = await (HAS_WRK ? wrk(load) : autocannon(load));
  const after = used();
  return {
    rps: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    non2xx: result.non2xx + result.failed,
    cpu_us: (after.server - before.server) / result.requests,
    database_us: (after.database - before.database) / result.requests,
    memory_mib: peakMemoryMib(load.pid),
  };
}

/** @typedef {{ requests: number, seconds: number, p50: number, p99: number, non2xx: number, failed: number }} Counted */

/** @returns {Promise<Counted>} */
async function wrk(/** @type {Drive} */ { origin, headers, requests, connections, seconds, own = false }) {
  const list = `${WORK_FOLDER}requests.tsv`;
  writeFileSync(list, requests.map(({ method, path, body }) => `${method}\t${path}\t${body ?? ''}\n`).join(''));
  const script = fileURLToPath(new URL('requests.lua', import.meta.url));
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const output = await run('wrk', [
    `-t${own ? connections : 1}`,
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    ...given,
    '-s',
    script,
    origin,
    '--',
    list,
    ...(own ? ['own', String(connections)] : []),
  ]);
  const line = output.split('\n').find((text) => text.startsWith('RESULT '));
  if (!line) throw new Error(`wrk did not report: ${output}`);
  return JSON.parse(line.slice('RESULT '.length));
}

/** Few, because autocannon prepares every request for every connection before the run. */
const REQUESTS_A_CLIENT = 200;

/** @returns {Promise<Counted>} */
async function autocannon(/** @type {Drive} */ { origin, headers, requests, connections, seconds }) {
  const start = createRequire(import.meta.url)('autocannon');
  let client = 0;
  const result = await start({
    url: origin,
    connections,
    duration: seconds,
    headers,
    // Each connection starts at another place in the list; otherwise all would send the same request at the same time.
    setupClient: (/** @type {any} */ one) => {
      const begin = Math.floor((client++ / connections) * requests.length);
      const mine = [...requests.slice(begin, begin + REQUESTS_A_CLIENT), ...requests].slice(0, REQUESTS_A_CLIENT);
      one.setRequests(
        mine.map((request) => ({
          ...request,
          headers: request.body ? { ...headers, 'content-type': 'application/json' } : headers,
        })),
      );
    },
  });
  return {
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    non2xx: result.non2xx,
    failed: result.errors + result.timeouts,
  };
}
