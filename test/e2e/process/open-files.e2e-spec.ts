import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/process/processes.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

describe('files of the built service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: join(database.folder, 'data') });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  /** Returns the number of the next file that the service opens: no limit below it closes an open one. */
  const nextFile = () => {
    const open = new Set(readdirSync(`/proc/${service.process.child.pid}/fd`));
    let next = 0;
    while (open.has(String(next))) next += 1;
    return next;
  };
  const statusOf = (method: 'GET' | 'POST', path: string, agent: Agent) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = (method === 'GET' ? get : request)(service.origin + path, { agent, method }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject).end();
    });

  it('only the owner and the group may read', () => {
    const files = readdirSync(database.folder, { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.startsWith('data/search/'))).toBe(true);
    // The database of the test was created by the test.
    const created = files.filter((name) => name.startsWith('data'));
    expect(created.filter((name) => (statSync(join(database.folder, name)).mode & 0o007) !== 0)).toEqual([]);
  });

  it('the first request to /mcp opens none: it is answered while no more may be opened', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await statusOf('GET', '/health/live', agent)).toBe(200);
    await until('the index is built', () =>
      readdirSync(join(database.folder, 'data/search')).includes('manifest.json'),
    );
    const limit = (count: number) =>
      execFileSync('prlimit', ['--pid', String(service.process.child.pid), `--nofile=${count}:`]);
    try {
      limit(nextFile());
      expect(await statusOf('POST', '/mcp', agent)).toBe(401);
    } finally {
      limit(4096);
      agent.destroy();
    }
  });
});
