import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { runClients } from '../support/http/clients.js';
import { runForJson } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { httpRequest } from '../support/http/request.js';
import { ServiceProcess } from '../support/process/processes.js';
import { loadRecords } from './support/fill.js';

const TIMEOUT_MS = 180_000;

/** A thousand each of slow uploads, slow messages to `/mcp`, slow headers and slow readers. */
const CONNECTIONS = 4000;
const LIST = '/platforms/live_platform/profiles?limit=50';

const LOOKUP = '/platforms/live_platform/profiles/none';
const CLIENTS = 16;
const ANSWERS = 8000;

describe.each(DIALECTS)('4,000 slow clients of four kinds, with three keys (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let attack: ChildProcess | undefined;
  afterEach(async () => {
    attack?.kill('SIGKILL');
    await service.stop();
    await database.drop();
  }, TIMEOUT_MS);

  it(
    'do not harm the look-ups of a fourth key: none fails, and the p99 at most doubles',
    async () => {
      database = await createTestDatabase(dialect);
      await runForJson(database, 'migrate');
      await loadRecords(database.url);
      const keys: string[] = [];
      for (let nth = 0; nth < 4; nth += 1) {
        keys.push((await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000')).key);
      }
      service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: database.folder });
      const [key = '', ...others] = keys;
      await lookUps(service.origin, key);
      const before = await lookUps(service.origin, key);

      const script = join(__dirname, 'support/slow-attack.mjs');
      const stdio = ['ignore', 'inherit', 'inherit'] as const;
      attack = spawn(process.execPath, [script, service.origin, others.join(), String(CONNECTIONS), LIST], {
        stdio: [...stdio],
      });
      await delay(CONNECTIONS * 1.2);
      const during = await lookUps(service.origin, key);
      const health = await httpRequest(service.origin, '/health', {});

      expect([during.failed, health.status, attack.exitCode]).toEqual([0, 200, null]);
      process.stdout.write(`p99 of a look-up: ${before.p99} ms before, ${during.p99} ms beside slow clients\n`);
      expect(during.p99 / before.p99).toBeLessThanOrEqual(2);
    },
    TIMEOUT_MS,
  );
});

async function lookUps(origin: string, key: string): Promise<{ p99: number; failed: number }> {
  const enough = (count: number) => count >= ANSWERS;
  const { receipts, unanswered } = await runClients({
    origin,
    key,
    clients: CLIENTS,
    path: () => LOOKUP,
    isDone: enough,
  });
  const times = receipts.map(({ ms }) => ms).sort((a, b) => a - b);
  const failed = unanswered.length + receipts.filter(({ status }) => status !== 404).length;
  return { p99: Math.round((times[Math.floor(times.length * 0.99)] ?? NaN) * 100) / 100, failed };
}
