import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

it('only the owner and the group may read what the first start creates', async () => {
  await buildOnce();
  const folder = mkdtempSync(join(tmpdir(), 'creator-data-first-start-'));
  try {
    const data = join(folder, 'data');
    const { status } = spawnSync('sh', ['-c', 'umask 022; exec node scripts/first-start.mjs --only-prepare'], {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: `sqlite:${join(data, 'creator-data.sqlite')}` },
    });
    const created = ['.', ...readdirSync(data)];
    expect([status, created.length]).toEqual([0, 3]);
    expect(created.filter((name) => (statSync(join(data, name)).mode & 0o007) !== 0)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('files of the built service', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: join(database.folder, 'data') });
    const manifest = join(database.folder, 'data/search/manifest.json');
    await until('the index is built', () => existsSync(manifest));
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
  const statusOf = (
    method: 'GET' | 'POST',
    path: string,
    agent: Agent,
    headers: Record<string, string> = {},
    body = '',
  ) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(service.origin + path, { agent, method, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject).end(body);
    });

  it('only the owner and the group may read', () => {
    const files = readdirSync(database.folder, { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.startsWith('data/search/'))).toBe(true);
    // The database of the test was created by the test.
    const created = files.filter((name) => name.startsWith('data'));
    expect(created.filter((name) => (statSync(join(database.folder, name)).mode & 0o007) !== 0)).toEqual([]);
  });

  it('/mcp works once files may be opened again, also if its first request came when none could be', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const created = await runBuiltCommand(['keys', 'create', '--name', 'x', '--json'], { DATABASE_URL: database.url });
    const headers = {
      'x-api-key': String(JSON.parse(created.out).key),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await statusOf('GET', '/health/live', agent)).toBe(200);
    const limit = (count: number) =>
      execFileSync('prlimit', ['--pid', String(service.process.child.pid), `--nofile=${count}:`]);
    limit(nextFile());
    await statusOf('POST', '/mcp', agent, headers, ping);
    limit(4096);
    expect(await statusOf('POST', '/mcp', agent, headers, ping)).toBe(200);
    agent.destroy();
  });
});
