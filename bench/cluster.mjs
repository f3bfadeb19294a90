// @ts-check
/**
 * Measures the cluster of `deploy/local` with one, two and three service processes, and with one or three Galera nodes:
 * throughput, and the CPU time of a request in services and nodes. `--connections` is the number of clients per service.
 *
 *   node bench/cluster.mjs --rounds 3 --seconds 4
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setServiceState } from '../deploy/local/haproxy.mjs';
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
    warmup: 8,
    connections: 64,
    loads: ['single', 'list'],
    port: 21_000,
  },
  'Throughput and CPU of the cluster of deploy/local.',
);

const FOLDER = `${WORK_FOLDER}cluster`;
const at = ports(given.port);
const env = { DATABASE_URL: at.databaseUrl };

/** Numbers of services and nodes that serve. Restarted nodes have empty memory, so nodes are stopped last. */
const SETUPS = [
  { name: '1 service, 3 nodes', services: 1, nodes: 3 },
  { name: '2 services, 3 nodes', services: 2, nodes: 3 },
  { name: '3 services, 3 nodes', services: 3, nodes: 3 },
  { name: '3 services, 1 node', services: 3, nodes: 1 },
];
const MEMBERS = [1, 2, 3];

/** @typedef {import('./load.mjs').HttpRequest} HttpRequest */
/** @typedef {{ setup: string, load: string, rps: number, p50: number, p99: number, service_us: number, node_us: number }} Sample */
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
  /** @type {Record<string, HttpRequest[]>} */
  const requests = {};
  for (const name of given.loads) requests[name] = await apiRequests(asksOf(loadOf(name), given), get);

  const driven = (/** @type {string} */ load, /** @type {number} */ services, /** @type {number} */ seconds) => {
    const connections = given.connections * services;
    return drive({ origin, pid: pidOf('service', 1), headers, requests: requests[load] ?? [], connections, seconds });
  };

  for (let round = 1; round <= given.rounds; round++) {
    await keepNodes(3);
    await restartServices();
    await serving(3);
    // Warm up, so that V8 has compiled hot code before the round.
    for (const load of given.loads) await driven(load, 3, given.warmup);
    for (const { name, services, nodes } of SETUPS) {
      await keepNodes(nodes);
      await serving(services);
      for (const load of given.loads) {
        await driven(load, services, 1);
        const before = [used('service', services), used('galera', nodes)];
        const { rps, p50, p99, non2xx } = await driven(load, services, given.seconds);
        if (non2xx > 0) throw new Error(`${non2xx} requests failed with ${name}`);
        const [service_us = 0, node_us = 0] = [used('service', services), used('galera', nodes)].map(
          (after, which) => (after - (before[which] ?? 0)) / (rps * given.seconds),
        );
        samples.push({ setup: name, load: loadOf(load).title, rps, p50, p99, service_us, node_us });
        say(`round ${round} ${name}, ${load}: ${figure(rps)}/s, ${figure(service_us)} + ${figure(node_us)} µs`);
      }
    }
  }
} finally {
  await cluster('stop');
  rmSync(FOLDER, { recursive: true, force: true });
}
publish('cluster', report(), { options: given, machine: machine(), samples });

/** @param {string} name */
function loadOf(name) {
  const load = LOADS[name];
  if (load === undefined) throw new Error(`no load ${name}`);
  return load;
}

/** Spreads the connections over all nodes again. */
async function restartServices() {
  for (const nth of MEMBERS) await cluster('stop', `service-${nth}`);
  for (const nth of MEMBERS) await cluster('start', `service-${nth}`);
}

/** Starts or stops nodes until `count` run. @param {number} count */
async function keepNodes(count) {
  for (const nth of MEMBERS) await cluster(nth <= count ? 'start' : 'stop', `galera-${nth}`);
  // Wait until HAProxy's health checks have noticed.
  await sleep(2000);
}

/** Makes HAProxy use `count` services. The others keep running. @param {number} count */
async function serving(count) {
  for (const nth of MEMBERS) await setServiceState(FOLDER, `service-${nth}`, nth <= count ? 'ready' : 'maint');
  await sleep(2000);
}

/** @param {string} kind @param {number} nth */
function pidOf(kind, nth) {
  return Number(readFileSync(`${FOLDER}/${kind}-${nth}.pid`, 'utf8'));
}

/** Sums the CPU time of the first `count` members, in µs. @param {string} kind @param {number} count */
function used(kind, count) {
  return MEMBERS.slice(0, count).reduce((sum, nth) => sum + cpuUs(pidOf(kind, nth)), 0);
}

function report() {
  const head = ['', 'load', 'requests/s', '50th, ms', '99th percentile, ms', 'services, µs', 'nodes, µs'];
  const rows = SETUPS.flatMap(({ name }) =>
    [...new Set(samples.map(({ load }) => load))].map((load) => {
      const own = samples.filter((sample) => sample.setup === name && sample.load === load);
      const of = (/** @type {'p50' | 'p99' | 'service_us' | 'node_us'} */ member) =>
        figure(median(own.map((sample) => sample[member])));
      return [name, load, spread(own.map(({ rps }) => rps)), of('p50'), of('p99'), of('service_us'), of('node_us')];
    }),
  );
  return markdownTable(head, rows);
}
