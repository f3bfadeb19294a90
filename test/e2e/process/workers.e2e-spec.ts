import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { runClients } from '../../support/http/clients.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';
const CLIENTS = 64;
const ROUNDS = 3;
/** Time in which a process that runs has done what it can. */
const PAUSE_MS = 500;

if (REDIS_URL !== '') {
  describe('a service with several workers', () => {
    it.each(['SIGTERM', 'SIGKILL'] as const)(
      'continues when a worker that never had a connection ends by %s',
      async (signal) => {
        const database = await createTestDatabase('sqlite');
        try {
          await runForJson(database, 'migrate');
          const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
          const printed = (what: string, times: number) =>
            until(`it prints ${what} ${times} times`, () => service.process.out.split(`"${what}"`).length > times);
          await printed('serving', 2);
          service.process.signalWorker(signal);
          await printed('a worker ended and is replaced', 1);
          const [line = ''] = /.*a worker ended and is replaced.*/.exec(service.process.out) ?? [];
          expect(line.match(/"(pid|worker)":\d+/g)).toHaveLength(2);
          await printed('serving', 3);
          expect((await httpRequest(service.origin, '/health/live')).status).toBe(200);
          expect((await service.stop()).status).toBe(0);
        } finally {
          await database.drop();
        }
      },
    );

    it('replaces a stopped worker, and answers every new connection meanwhile', async () => {
      const database = await createTestDatabase('sqlite');
      try {
        await runForJson(database, 'migrate');
        const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
        const serving = (workers: number) =>
          until(`${workers} workers have begun`, () => service.process.out.match(/"serving"/g)?.length === workers);
        await serving(2);
        // The first assertion loads modules, so it runs before the clients start.
        await httpRequest(service.origin, '/health/live');
        let isOver = false;
        const client = async () => {
          while (!isOver) expect((await httpRequest(service.origin, '/health/live')).status).toBe(200);
        };
        const clients = Promise.all(Array.from({ length: CLIENTS }, client));
        for (let round = 1; round <= ROUNDS; round += 1) {
          service.process.signalWorker('SIGTERM');
          await Promise.race([serving(2 + round), clients]);
        }
        isOver = true;
        await clients;
        expect((await service.stop()).status).toBe(0);
      } finally {
        await database.drop();
      }
    });

    it('answers the connections that wait for busy workers when it stops', async () => {
      const database = await createTestDatabase('sqlite');
      try {
        await runForJson(database, 'migrate');
        const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
        await until('both workers serve', () => service.process.out.split('"serving"').length === 3);
        service.process.signalWorkers('SIGSTOP');
        const answers = Array.from({ length: 8 }, () => httpRequest(service.origin, '/health/live'));
        await delay(PAUSE_MS);
        const stopped = service.stop();
        await delay(PAUSE_MS);
        // The primary passes a connection when a worker has taken the one before, which it must wait for.
        service.process.signal('SIGSTOP');
        service.process.signalWorkers('SIGCONT');
        await delay(PAUSE_MS);
        service.process.signal('SIGCONT');
        expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect((await stopped).status).toBe(0);
      } finally {
        await database.drop();
      }
    });

    it('answers every connection that it accepts while it stops', async () => {
      const database = await createTestDatabase('sqlite');
      try {
        await runForJson(database, 'migrate');
        const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000');
        const unanswered: string[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
          let answers = 0;
          // A stop tells these clients to close their connections, so all connect again.
          const clients = runClients({
            origin: service.origin,
            key,
            clients: CLIENTS,
            path: () => '/usage',
            onAnswer: (count) => (answers = count),
            // The service closes idle connections, and a client that stands still for half a second has one.
            repeatsReset: true,
          });
          await until('the load runs', () => answers > CLIENTS);
          expect((await service.stop()).status).toBe(0);
          unanswered.push(...(await clients).unanswered);
        }
        expect(unanswered).toEqual([]);
      } finally {
        await database.drop();
      }
    });
  });
}
