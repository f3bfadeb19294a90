import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectTo } from '../../support/http/raw-socket.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

/** More connections than Node.js lets wait. */
const CONNECTIONS = 1500;

describe('a service that is too busy to accept connections', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeEach(async () => {
    database = await createTestDatabase('sqlite');
    await runForJson(database, 'migrate');
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: database.folder });
  });
  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  it.each(['goes on', 'then stops'])('lets a burst of them wait, and answers all: it %s', async (what) => {
    service.process.signal('SIGSTOP');
    let [connected, answered] = [0, 0];
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connectTo(service.origin);
      socket.once('connect', () => (connected += 1));
      socket.once('data', (answer) => (answered += Number(String(answer).startsWith('HTTP/1.1 200 '))));
      socket.write('GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n');
      return socket;
    });
    try {
      await until('all are connected', () => connected === CONNECTIONS, 30_000);
      if (what === 'then stops') service.process.signal('SIGTERM');
    } finally {
      service.process.signal('SIGCONT');
    }
    await until('all are answered', () => answered === CONNECTIONS);
    for (const socket of sockets) socket.destroy();
    expect((await service.stop()).status).toBe(0);
  });
});
