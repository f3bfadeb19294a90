import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runClients, type Receipt } from '../support/http/clients.js';
import { ServiceProcess } from '../support/process/processes.js';
import { runForJson, runInProcess } from '../support/service/command.js';
import { ALL_DAYS, parseExport, type UsageRow } from '../support/service/usage.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { compareWithExport, longest, report } from './support/drill.js';
import { OwnRedis } from './support/own-redis.js';

const REQUESTS = Number(process.env.FAULT_REQUESTS ?? 100_000);
const CLIENTS = 128;
const PROCESSES = 3;
const TIMEOUT_MS = 120_000 + REQUESTS * 10;

/** Price in units by path; the profiles do not exist, so the lists are empty and the look-ups 404s. */
const PRICES: Readonly<Record<string, number>> = {
  '/platforms/live_platform/profiles/none': 1,
  '/platforms/live_platform/profiles?limit=3': 3,
  '/platforms/live_platform/profiles?limit=10': 10,
  '/platforms/live_platform/content?limit=25': 25,
  '/platforms/live_platform/profiles?limit=50': 50,
  '/platforms/live_platform/profiles/none/analysis': 100,
  '/usage': 0,
};
const PATHS = Object.keys(PRICES);

/** Used up after about two thirds of the requests. */
const ALLOWANCE = Math.round(
  (Object.values(PRICES).reduce((sum, price) => sum + price, 0) / PATHS.length) * REQUESTS * 0.65,
);

/** Clocks of this process and the services differ by rounding. */
const ROUNDING_MS = 2;

describe.each(DIALECTS)('a month allowance that three processes share (%s)', (dialect) => {
  let database: TestDatabase;
  let redis: OwnRedis;
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    redis = await OwnRedis.start();
  }, TIMEOUT_MS);
  afterEach(async () => {
    await redis.stop();
    await database.drop();
  });

  it(
    'is used up exactly while Redis is killed and then a process, and refuses no request that fits',
    async () => {
      await runForJson(database, 'migrate');
      const limits = ['--rate-limit', '1000000000', '--month-units', String(ALLOWANCE)];
      const { id, key } = await runForJson(database, 'keys', 'create', '--name', 'drill', ...limits);
      const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url };
      const services = await Promise.all(Array.from({ length: PROCESSES }, () => ServiceProcess.start(settings)));
      let answers = 0;
      const faults: Promise<void>[] = [];
      const onAnswer = () => {
        answers += 1;
        if (answers === Math.round(REQUESTS * 0.5)) faults.push(redis.stop());
        if (answers === Math.round(REQUESTS * 0.6)) services[0]?.process.signal('SIGKILL');
      };
      const outcomes = await Promise.all(
        services.map(({ origin }, nth) =>
          runClients({
            origin,
            key,
            clients: Math.ceil((CLIENTS - nth) / PROCESSES),
            path: (count) => PATHS[count % PATHS.length] ?? '/usage',
            onAnswer,
            isDone: () => answers >= REQUESTS,
          }),
        ),
      );
      await Promise.all(faults);
      for (const service of services.slice(1)) await service.stop();

      const receipts = outcomes.flatMap((outcome) => outcome.receipts);
      const { out } = await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--key', String(id), '--json');
      const rows = parseExport(out);
      const used = rows.reduce((sum, { quota_units }) => sum + quota_units, 0);
      const refused = receipts.filter(({ status }) => status === 402);
      const result = {
        ...compareWithExport(receipts, rows),
        exceeded: Math.max(0, used - ALLOWANCE),
        refusedTooEarly: countRefusedThatFit(refused, rows),
        otherStatuses: receipts.filter(({ status }) => ![200, 402, 404].includes(status)).length,
      };
      report({
        drill: `allowance over ${PROCESSES} processes, ${dialect}`,
        answers: receipts.length,
        longest_ms: longest(receipts),
        refused: refused.length,
        unused: ALLOWANCE - used,
        ...result,
      });
      expect(result).toEqual({ lost: 0, doubled: 0, exceeded: 0, refusedTooEarly: 0, otherStatuses: 0 });
      expect(ALLOWANCE - used).toBeLessThan(Math.min(...refused.map(priceOf)));
    },
    TIMEOUT_MS,
  );
});

const priceOf = ({ path }: Receipt): number => PRICES[path] ?? 0;

/**
 * Counts refused requests that would have fitted beside everything that could have been recorded before their answer: all
 * requests received until then. The order of commits is not visible from outside.
 */
function countRefusedThatFit(refused: readonly Receipt[], rows: readonly UsageRow[]): number {
  const charged = rows
    .map(({ occurred_at, quota_units }) => ({ at: Date.parse(occurred_at), units: quota_units }))
    .toSorted((a, b) => a.at - b.at);
  let [next, possible, count] = [0, 0, 0];
  for (const receipt of refused.toSorted((a, b) => a.at - b.at)) {
    const answeredAt = performance.timeOrigin + receipt.at + ROUNDING_MS;
    for (; next < charged.length; next += 1) {
      const { at, units } = charged[next] ?? { at: Infinity, units: 0 };
      if (at > answeredAt) break;
      possible += units;
    }
    if (possible + priceOf(receipt) <= ALLOWANCE) count += 1;
  }
  return count;
}
