import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runForJson } from '../support/service/command.js';
import { httpRequest } from '../support/http/request.js';
import { memoryMib, ServiceProcess } from '../support/process/processes.js';
import { until } from '../support/until.js';
import { report } from './support/drill.js';
import { loadRecords } from './support/fill.js';
import { runOpenLoad, type LoadOutcome } from './support/open-load.js';
import { OwnMariadb } from './support/own-mariadb.js';
import { OwnRedis } from './support/own-redis.js';

const MINUTES = Number(process.env.LOAD_MINUTES ?? 30);
const CONNECTIONS = Number(process.env.LOAD_CONNECTIONS ?? 1000);

/** How long each rate is tried, and how long three times the highest rate is sent. */
const TRY_SECONDS = Number(process.env.LOAD_TRY_SECONDS ?? 8);
const OVERLOAD_SECONDS = 2.5 * TRY_SECONDS;
const TRIES = 3;
const FIRST_RATE = 250;

/** The search ends when the highest rate in time and the lowest rate not in time are this close. */
const CLOSE = 1.15;

const P99_MS = 100;
const PART = 0.7;

/** Time after which memory must be constant: a fifth of the run, if shorter. */
const WARM_UP_MINUTES = Math.min(5, MINUTES / 5);
const GROWTH = 1.1;

const TIMEOUT_MS = (MINUTES + 10) * 60_000;

describe('a service with MySQL and Redis', () => {
  let server: OwnMariadb;
  let redis: OwnRedis;
  let service: ServiceProcess;
  let key: string;
  let paths: string[];
  beforeAll(async () => {
    server = await OwnMariadb.start();
    redis = await OwnRedis.start();
    await runForJson({ url: server.url }, 'migrate');
    ({ key } = await runForJson({ url: server.url }, 'keys', 'create', '--name', 'load', '--rate-limit', '1000000000'));
    paths = await loadRecords(server.url);
    service = await ServiceProcess.start({ DATABASE_URL: server.url, REDIS_URL: redis.url });
  }, TIMEOUT_MS);
  afterAll(async () => {
    // The service may not have started.
    await (service as ServiceProcess | undefined)?.stop();
    await redis.stop();
    await server.remove();
  }, TIMEOUT_MS);

  const send = (rate: number, seconds: number): Promise<LoadOutcome> =>
    runOpenLoad({ origin: service.origin, key, connections: CONNECTIONS, paths, rate, seconds });
  const failed = ({ unanswered, statuses }: LoadOutcome) =>
    unanswered + Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0);
  const findingOf = (drill: string, rate: number, outcome: LoadOutcome) => ({
    drill,
    rate: Math.round(rate),
    answers: outcome.answers,
    a_second: outcome.aSecond,
    p50_ms: outcome.p50,
    p99_ms: outcome.p99,
    longest_ms: outcome.longest,
    'status 503': outcome.statuses[503] ?? 0,
    unanswered: outcome.unanswered,
    peak_mib: service.process.peakMib(),
  });

  let highest = 0;
  const requireRate = () => {
    if (highest === 0) throw new Error('no rate was answered in time');
  };

  /**
   * Returns whether any of several tries succeeds, so that other load on the machine does not count as the limit of the
   * service.
   */
  const isInTime = async (rate: number): Promise<boolean> => {
    for (let nth = 0; nth < TRIES; nth += 1) {
      const result = await send(rate, TRY_SECONDS);
      report(findingOf('a rate', rate, result));
      if (failed(result) === 0 && result.p99 < P99_MS && result.aSecond > rate * 0.95) return true;
    }
    return false;
  };

  it(
    'has a highest rate that it answers in time',
    async () => {
      await send(FIRST_RATE, TRY_SECONDS);
      let [rate, tooHigh] = [FIRST_RATE, Infinity];
      while (rate >= 1 && highest * CLOSE < tooHigh) {
        if (await isInTime(rate)) highest = rate;
        else tooHigh = rate;
        rate = tooHigh === Infinity ? rate * 2 : (highest + tooHigh) / 2;
      }
      expect(highest).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it(
    `answers ${PART * 100} % of it for ${MINUTES} minutes without an error, in constant memory`,
    async () => {
      requireRate();
      const memory: number[] = [];
      const pid = Number(service.process.child.pid);
      const timer = setInterval(() => memory.push(memoryMib(pid, 'VmRSS')), 1000);
      const result = await send(highest * PART, MINUTES * 60).finally(() => clearInterval(timer));
      const settled = memory.slice(WARM_UP_MINUTES * 60);
      const half = Math.floor(settled.length / 2);
      const [before, after] = [mean(settled.slice(0, half)), mean(settled.slice(half))];
      const finding = findingOf(`${PART * 100} % for ${MINUTES} min`, highest * PART, result);
      report({ ...finding, mib_before: Math.round(before), mib_after: Math.round(after) });
      expect(failed(result)).toBe(0);
      expect(after).toBeLessThan(before * GROWTH);
    },
    TIMEOUT_MS,
  );

  it(
    'rejects excess requests with 503 and Retry-After at three times the highest rate, and recovers at once',
    async () => {
      requireRate();
      const ask = (path: string) => httpRequest(service.origin, path, { headers: { 'x-api-key': key } });
      let isOver = false;
      const health = new Set<number>();
      const watching = (async () => {
        while (!isOver) {
          health.add((await ask('/health')).status);
          await delay(200);
        }
      })();
      const result = await send(highest * 3, OVERLOAD_SECONDS);
      const endedAt = performance.now();
      await until('it recovers', async () => (await ask('/usage')).status === 200);
      const recovery_ms = Math.round(performance.now() - endedAt);
      isOver = true;
      await watching;
      report({ ...findingOf('three times the highest rate', highest * 3, result), recovery_ms });
      expect(result.statuses[503]).toBeGreaterThan(0);
      expect(Object.keys(result.statuses)).toEqual(['200', '503']);
      expect(result.withoutRetryAfter).toBe(0);
      expect(health).toEqual(new Set([200]));
      expect(result.unanswered).toBe(0);
      expect(result.longest).toBeLessThan(5000);
      expect(recovery_ms).toBeLessThan(2000);
      const again = await send(highest * PART, TRY_SECONDS);
      report(findingOf(`${PART * 100} % again`, highest * PART, again));
      expect(failed(again)).toBe(0);
    },
    TIMEOUT_MS,
  );
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
