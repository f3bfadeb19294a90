import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { runInProcess, runForJson } from '../support/service/command.js';
import { aProfile } from '../support/records/builders.js';
import { runBuiltCommand, dataFolder, ServiceProcess } from '../support/process/processes.js';
import { httpRequest } from '../support/http/request.js';
import { until } from '../support/until.js';
import { ALL_DAYS, parseExport } from '../support/service/usage.js';
import { Cluster, runSteadyClients, type SteadyOutcome } from './support/cluster.js';
import { compareWithExport, longest, recordsWithoutAnswer, report } from './support/drill.js';
import { loadRecords } from './support/fill.js';

const TIMEOUT_MS = 300_000;

/** Maximum time for which requests may fail when a member is killed. */
const WITHIN_MS = 5000;

const CLIENTS = 64;
const BEFORE_MS = 2000;
const AFTER_MS = 8000;
const LIMIT = 200;
const REQUESTS = 300;
const SERVICES = [1, 2, 3];

const PATH = '/platforms/live_platform/profiles?limit=3';

describe('three services over three nodes of Galera, with Redis and Sentinel, behind HAProxy', () => {
  let cluster: Cluster;
  let paths: string[];
  beforeAll(async () => {
    cluster = await Cluster.start();
    paths = await loadRecords(cluster.url);
  }, TIMEOUT_MS);
  afterAll(() => cluster.remove(), TIMEOUT_MS);

  const keyWith = (rateLimit: number) =>
    runForJson(cluster, 'keys', 'create', '--name', 'drill', '--rate-limit', String(rateLimit));
  const send = (key: string, origin = cluster.origin) => httpRequest(origin, PATH, { headers: { 'x-api-key': key } });
  const statusesOf = async (requests: readonly Promise<{ readonly status: number }>[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  it('answer exactly 200 of 300 concurrent requests under a limit of 200', async () => {
    const { key } = await keyWith(LIMIT);
    const statuses = await statusesOf(Array.from({ length: REQUESTS }, () => send(key)));
    expect(statuses).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
  });

  it(
    'exceed the limit by at most one window while Sentinel fails over',
    async () => {
      const { key } = await keyWith(LIMIT);
      const before = await primary();
      const sentinel = new Redis({ host: '127.0.0.1', port: cluster.sentinelPort });
      const requests = [];
      for (let nth = 0; nth < REQUESTS; nth += 1) {
        if (nth === REQUESTS / 3) await sentinel.call('SENTINEL', 'failover', 'creator-data');
        requests.push(send(key));
        await delay(10);
      }
      sentinel.disconnect();
      const statuses = await statusesOf(requests);
      report({ drill: 'cluster: Sentinel moves the Redis, limit 200', ...statuses });
      expect((statuses[200] ?? 0) + (statuses[429] ?? 0)).toBe(REQUESTS);
      expect(statuses[200]).toBeGreaterThanOrEqual(LIMIT);
      expect(statuses[200]).toBeLessThanOrEqual(2 * LIMIT);
      await until('another Redis is the primary', async () => (await primary()) !== before);
      const { key: next } = await keyWith(LIMIT);
      const after = await statusesOf(Array.from({ length: REQUESTS }, () => send(next)));
      expect(after).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
    },
    TIMEOUT_MS,
  );

  it('reject a key that was revoked on one node with the next request to every service', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, key } = await keyWith(LIMIT);
      expect(await statusesOf(SERVICES.map((nth) => send(key, cluster.serviceOrigin(nth))))).toEqual({ 200: 3 });
      await runInProcess({ url: cluster.nodeUrl(1 + (round % 3)) }, 'keys', 'revoke', id);
      expect(await statusesOf(SERVICES.map((nth) => send(key, cluster.serviceOrigin(nth))))).toEqual({ 403: 3 });
    }
  }, 60_000);

  it.each([
    ['a service', () => Promise.resolve('service-2')],
    ['the node of Galera that is written', () => Promise.resolve('galera-1')],
    ['another node of Galera', () => Promise.resolve('galera-3')],
    ['the primary Redis', async () => ((await primary()) === redisPort(1) ? 'redis-1' : 'redis-2')],
  ])(
    '%s is killed under load, and restarted: requests fail for at most 5 s, and every answer is billed once',
    async (name, memberOf) => {
      const { id, key } = await keyWith(1_000_000_000);
      const member = await memberOf();
      let isOver = false;
      const path = (nth: number) => paths[(nth * 7) % paths.length] ?? PATH;
      const load = runSteadyClients(cluster.origin, key, CLIENTS, path, () => isOver);
      await delay(BEFORE_MS);
      const killedAt = performance.now();
      await cluster.stopMember(member, 'SIGKILL');
      await delay(AFTER_MS);
      const returnedAt = performance.now();
      await cluster.startMember(member);
      await delay(AFTER_MS);
      isOver = true;
      const seen = await load;
      for (const nth of SERVICES) await cluster.stopMember(`service-${nth}`);
      // All keys: a 503 before the key could be looked up is recorded without it.
      const rows = parseExport((await runInProcess(cluster, 'usage', 'export', ...ALL_DAYS, '--json')).out);
      for (const nth of SERVICES) await cluster.startMember(`service-${nth}`);

      const result = compareWithExport(seen.receipts, rows);
      const beyond = recordsWithoutAnswer(seen.receipts, rows, id);
      const [failedMs, failedOnReturnMs] = [failing(seen, killedAt, returnedAt), failing(seen, returnedAt, Infinity)];
      report({
        drill: `cluster: ${name} is killed`,
        answers: seen.receipts.length,
        longest_ms: longest(seen.receipts),
        failed_ms: failedMs,
        failed_on_return_ms: failedOnReturnMs,
        ...result,
        unanswered: seen.unanswered,
        beyond,
      });
      expect(result).toEqual({ lost: 0, doubled: 0 });
      expect(Math.max(failedMs, failedOnReturnMs)).toBeLessThanOrEqual(WITHIN_MS);
      // Further records belong to requests without an answer, because the service that handled them was killed.
      expect(beyond).toBeLessThanOrEqual(seen.unanswered);
    },
    TIMEOUT_MS,
  );

  it(
    'retry conflicts when each writes to its own node: every answer is billed once',
    async () => {
      const { id, key } = await keyWith(1_000_000_000);
      const services = await Promise.all(
        SERVICES.map((nth) =>
          ServiceProcess.start({
            DATABASE_URL: cluster.nodeUrl(nth),
            REDIS_URL: cluster.redisUrl,
            DATA_DIR: `${dataFolder}/writer-${nth}`,
          }),
        ),
      );
      const startedAt = performance.now();
      const path = (nth: number) => paths[(nth * 7) % paths.length] ?? PATH;
      const isOver = () => performance.now() - startedAt > AFTER_MS;
      const seen = await Promise.all(
        services.map(({ origin }) => runSteadyClients(origin, key, CLIENTS / 4, path, isOver)),
      );
      for (const service of services) await service.stop();
      const receipts = seen.flatMap((one) => one.receipts);
      const rows = parseExport((await runInProcess(cluster, 'usage', 'export', ...ALL_DAYS, '--json')).out);
      const { lines } = await runForJson(cluster, 'usage', 'summary', ...ALL_DAYS, '--by', 'key', '--key', id);
      const result = compareWithExport(receipts, rows);
      const failed = receipts.filter(({ status }) => status >= 500).length;
      report({
        drill: 'cluster: each service writes to a node of its own',
        answers: receipts.length,
        longest_ms: longest(receipts),
        ...result,
        'status 503': failed,
      });
      expect(result).toEqual({ lost: 0, doubled: 0 });
      expect(failed).toBe(0);
      expect(seen.flatMap((one) => one.failures)).toEqual([]);
      expect(lines).toMatchObject([
        { requests: receipts.length, credits: sum(receipts.map(({ credits }) => credits)) },
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'complete concurrent imports of the same records into two nodes, and nothing is missing',
    async () => {
      const profiles = Array.from({ length: 20_000 }, (_, nth) => JSON.stringify(aProfile({ id: `both-${nth}` })));
      const imported = SERVICES.slice(0, 2).map((nth) =>
        runBuiltCommand(
          ['import', 'profiles', '-', '--json'],
          { DATABASE_URL: cluster.nodeUrl(nth) },
          profiles.join('\n'),
        ),
      );
      for (const { status, out, err } of await Promise.all(imported)) {
        expect([status, err]).toEqual([0, expect.any(String)]);
        expect(JSON.parse(out)).toMatchObject([{ loaded: 20_000 }]);
      }
      const { key } = await keyWith(LIMIT);
      for (const nth of ['both-0', 'both-9999', 'both-19999']) {
        const found = await httpRequest(cluster.origin, `/platforms/live_platform/profiles/${nth}`, {
          headers: { 'x-api-key': key },
        });
        expect(found.status).toBe(200);
      }
    },
    TIMEOUT_MS,
  );

  async function primary(): Promise<string> {
    const sentinel = new Redis({ host: '127.0.0.1', port: cluster.sentinelPort });
    const [, port] = (await sentinel.call('SENTINEL', 'get-master-addr-by-name', 'creator-data')) as string[];
    sentinel.disconnect();
    return String(port);
  }
  const redisPort = (nth: number): string => String(cluster.sentinelPort - 11 + nth);
});

/** @returns the time from a moment to the last failure before another moment, in ms; 0 without failures */
function failing({ failures }: SteadyOutcome, from: number, to: number): number {
  const between = failures.filter((at) => at >= from && at < to);
  return between.length === 0 ? 0 : Math.round(Math.max(...between) - from);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
