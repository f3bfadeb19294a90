// @ts-check
/**
 * The cluster of `deploy/local` with one, two and three service processes, and with one node of Galera against three: what it
 * answers, and what a request costs in the services and in the nodes. Each service has as many clients (`--connections`).
 *
 *   node bench/cluster.mjs --rounds 3 --seconds 4
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ports } from '../deploy/local/ports.mjs';
import { lines } from './data.mjs';
import { drive } from './load.mjs';
import { LOADS, apiRequests, asksOf } from './loads.mjs';
import { options } from './options.mjs';
import { PROJECT_FOLDER, WORK_FOLDER, cpuUs, run } from './processes.mjs';
import { figure, machine, markdownTable, median, publish, say, spread } from './report.mjs';
import { cli, createKey } from './targets/ours.mjs';

const given = options(
  {
    profiles: 50_000,
    content: 100_000,
    rounds: 3,
    seconds: 4,
    warmup: 1,
    connections: 64,
    loads: ['single', 'list'],
    port: 21_000,
  },
  'Throughput and CPU of the cluster of deploy/local.',
);

const FOLDER = `${WORK_FOLDER}cluster`;
const at = ports(given.port);
const env = { DATABASE_URL: at.databaseUrl };

/** What serves, of the services and of the nodes. */
const SETUPS = [
  { name: '1 service, 3 nodes', services: 1, nodes: 3 },
  { name: '2 services, 3 nodes', services: 2, nodes: 3 },
  { name: '3 services, 3 nodes', services: 3, nodes: 3 },
  { name: '3 services, 1 node', services: 3, nodes: 1 },
];

/** @typedef {{ setup: string, load: string, rps: number, p99: number, service_us: number, node_us: number }} Sample */
/** @type {Sample[]} */
const samples = [];

const cluster = (/** @type {string[]} */ ...args) =>
  run('node', [`${PROJECT_FOLDER}deploy/local/cluster.mjs`, ...args, '--dir', FOLDER, '--port', String(given.port)]);

rmSync(FOLDER, { recursive: true, force: true });
try {
  say(await cluster('start'));
  for (const kind of /** @type {const} */ (['profiles', 'content'])) {
    await cli(['import', kind, '-'], env, lines(kind, 0, given[kind]));
  }
  const headers = { 'x-api-key': await createKey(env) };
  const origin = `http://127.0.0.1:${at.api}`;
  const get = async (/** @type {string} */ path) => (await fetch(origin + path, { headers })).json();
  for (let round = 1; round <= given.rounds; round++) {
    for (const { name, services, nodes } of SETUPS) {
      await keep('service', services);
      await keep('galera', nodes);
      // HAProxy sees it by its checks.
      await sleep(4000);
      for (const loadName of given.loads) {
        const load = LOADS[loadName];
        if (load === undefined) throw new Error(`no load ${loadName}`);
        const requests = await apiRequests(asksOf(load, given), get);
        const [first = 0] = pids('service', 1);
        const drivenBy = { origin, pid: first, headers, requests, connections: given.connections * services };
        await drive({ ...drivenBy, seconds: given.warmup });
        const before = [used('service', services), used('galera', nodes)];
        const { rps, p99, non2xx } = await drive({ ...drivenBy, seconds: given.seconds });
        if (non2xx > 0) throw new Error(`${non2xx} requests failed with ${name}`);
        const [service_us = 0, node_us = 0] = [used('service', services), used('galera', nodes)].map(
          (after, which) => (after - (before[which] ?? 0)) / (rps * given.seconds),
        );
        samples.push({ setup: name, load: load.title, rps, p99, service_us, node_us });
        say(`round ${round} ${name}, ${load.title}: ${figure(rps)}/s, ${figure(service_us)} + ${figure(node_us)} µs`);
      }
    }
    await keep('galera', 3);
    await keep('service', 3);
  }
} finally {
  await cluster('stop');
  rmSync(FOLDER, { recursive: true, force: true });
}
publish('cluster', report(), { options: given, machine: machine(), samples });

/** Starts or stops members so that so many run. */
async function keep(/** @type {string} */ kind, /** @type {number} */ count) {
  for (let nth = 1; nth <= 3; nth++) await cluster(nth <= count ? 'start' : 'stop', `${kind}-${nth}`);
}

function pids(/** @type {string} */ kind, /** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) =>
    Number(readFileSync(`${FOLDER}/${kind}-${index + 1}.pid`, 'utf8')),
  );
}

function used(/** @type {string} */ kind, /** @type {number} */ count) {
  return pids(kind, count).reduce((sum, pid) => sum + cpuUs(pid), 0);
}

function report() {
  const head = ['', 'load', 'requests/s', '99th percentile, ms', 'services, µs', 'nodes, µs'];
  const rows = SETUPS.flatMap(({ name }) =>
    [...new Set(samples.map(({ load }) => load))].map((load) => {
      const own = samples.filter((sample) => sample.setup === name && sample.load === load);
      const of = (/** @type {'p99' | 'service_us' | 'node_us'} */ member) =>
        figure(median(own.map((sample) => sample[member])));
      return [name, load, spread(own.map(({ rps }) => rps)), of('p99'), of('service_us'), of('node_us')];
    }),
  );
  return markdownTable(head, rows);
}
