import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import { WriterRegistry } from '../../../src/receipts/writer-registry.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { failedStart, runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

async function withDatabase<T>(dialect: 'sqlite' | 'mysql', use: (database: TestDatabase) => Promise<T>): Promise<T> {
  const database = await createTestDatabase(dialect);
  try {
    return await use(database);
  } finally {
    await database.drop();
  }
}

it.each([
  ['127.0.0.1', 'http://127.0.0.1:'],
  ['::1', 'http://[::1]:'],
  ['::', 'http://localhost:'],
])('the log of a start has an address that can be opened: HOST=%s', async (host, begin) => {
  await withDatabase('sqlite', async (database) => {
    await runForJson(database, 'migrate');
    const service = await ServiceProcess.start({ DATABASE_URL: database.url, HOST: host });
    expect(service.origin.startsWith(begin)).toBe(true);
    expect((await fetch(`${service.origin}/health/live`)).status).toBe(200);
    expect((await service.stop()).status).toBe(0);
  });
});

describe('a start that must fail', () => {
  // Only tests that just start a process run concurrently: between tests, Jest cannot load modules on first use.
  it.concurrent.each([
    ['PORT', '70000', 'a port number from 0 to 65535'],
    ['HOST', 'no host', 'a host name or an IP address'],
    ['DATABASE_URL', 'postgres://secret@host/x', 'sqlite:PATH or mysql://'],
    ['DATABASE_URL', 'sqlite::memory:', 'PATH is that of a file on a disk'],
    ['DATABASE_URL', 'sqlite:', 'PATH is that of a file on a disk'],
    ['DATABASE_REPLICA_URLS', 'mysql://secret@host/x', 'DATABASE_URL must be one too'],
    ['REDIS_URL', 'http://secret@host', 'redis://host:6379, rediss://host:6379, or redis+sentinel://'],
    ['REDIS_URL', 'redis://:secret@host/first', 'a database by its number'],
    ['RATE_LIMIT_PER_MINUTE', '0', 'a whole number from 1 to 1000000000'],
    ['TRUST_PROXY', 'yes', 'the number of trusted proxies'],
    ['METRICS_PORT', '-1', 'a port number from 0 to 65535'],
    ['CORS_ORIGINS', 'app.example.com', 'comma-separated origins such as https://app.example.com, or *'],
    ['LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['LOG_REQUESTS', 'some', 'one of off, errors, all'],
    ['WORKERS', '2', 'more than 1 requires REDIS_URL'],
  ])(
    'exits with status 1 and one line that names %s and its valid values, but not its value',
    async (variable, value, takes) => {
      const { status, out, err } = await failedStart({ DATABASE_URL: 'sqlite:/nonexistent/x', [variable]: value });
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(new RegExp(`^Cannot start: ${variable} must be .*\n$`));
      expect(err).toContain(takes);
      expect(err).not.toContain('secret');
    },
  );

  it.each(['PORT', 'METRICS_PORT'])(
    'exits with status 1 and one line that names %s when that port is in use, before it serves',
    async (variable) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await withDatabase('sqlite', async ({ url }) => {
        const { status, err, out } = await failedStart({ DATABASE_URL: url, [variable]: String(port) });
        const line = `^Cannot start: another process uses this port: .* choose another ${variable} \\(.*EADDRINUSE.*${port}\\)\n$`;
        expect([status, err]).toEqual([1, expect.stringMatching(new RegExp(line))]);
        expect(out).not.toContain('serving');
        expect(out).toContain('there is no API key yet: run');
        // Otherwise the next start takes this process for one that was killed.
        const store = await openDatabase(readConfig({ DATABASE_URL: url }).database);
        expect(await new WriterRegistry(store).list()).toEqual([]);
        await store.close();
      });
      server.close();
    },
  );

  it('names a misspelt setting in the line about the setting that misses it', async () => {
    const { status, err } = await failedStart({ WORKERS: '2', REDIS_ULR: 'redis://host' });
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(
        /^Cannot start: WORKERS must be .*; REDIS_ULR is not a setting: did you mean REDIS_URL\?\n$/,
      ),
    ]);
  });

  it('exits with status 1 and one line when the database server does not answer', async () => {
    const { status, err } = await failedStart({ DATABASE_URL: 'mysql://user:secret@127.0.0.1:1/x' });
    const reason =
      'the database x at 127.0.0.1:1 cannot be reached (nothing listens there): start it, or correct DATABASE_URL';
    expect([status, err]).toEqual([1, `Cannot start: ${reason}\n`]);
  });

  if (DIALECTS.includes('mysql')) {
    it.each([
      [
        'the password',
        (url: URL) => ([url.username, url.password] = ['nobody', 'secret']),
        'rejects the user or password',
      ],
      ['the name of the database', (url: URL) => (url.pathname = '/no_such_database'), 'does not exist'],
    ])('exits with status 1 and one line when %s is wrong', async (_what, change, problem) => {
      const url = new URL('/any', process.env.TEST_MYSQL_URL);
      change(url);
      const { status, err } = await failedStart({ DATABASE_URL: url.href });
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(`^Cannot start: the database [^\n]* ${problem}[^\n]*: [^\n]+\n$`),
      ]);
      expect(err).not.toContain('secret');
    });
  }

  it('exits with status 1 and one line that names DATABASE_URL when the database file cannot exist', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'creator-data-start-'));
    const file = join(folder, 'letter.txt');
    writeFileSync(file, 'Dear Sir or Madam, '.repeat(100));
    const before = readdirSync(folder);
    for (const path of ['/dev/null', '/dev/null/x.sqlite', '/proc/x/y.sqlite', '/proc/x.sqlite', folder, file]) {
      const { status, out, err } = await failedStart({ DATABASE_URL: `sqlite:${path}` });
      expect([status, out, err]).toEqual([
        1,
        '',
        expect.stringMatching(/^Cannot start: DATABASE_URL must be sqlite:PATH of a file [^\n]+\n$/),
      ]);
      expect(err).toContain(`: ${path} `);
    }
    expect(readdirSync(folder)).toEqual(before);
    rmSync(folder, { recursive: true });
  });

  if (DIALECTS.includes('mysql')) {
    it('exits with status 1, names the migrate command and changes nothing when the schema of a server is older', async () => {
      await withDatabase('mysql', async ({ url }) => {
        const { status, err } = await failedStart({ DATABASE_URL: url });
        expect([status, err]).toEqual([1, expect.stringMatching(/^Cannot start: .*npm run -s cli -- migrate.*\n$/)]);
        const { out } = await runBuiltCommand(['migrate', '--status', '--json'], { DATABASE_URL: url });
        expect(JSON.parse(out).pending).not.toEqual([]);
      });
    });
  }
});

describe('a start', () => {
  it('migrates the embedded database and serves', async () => {
    await withDatabase('sqlite', async ({ url }) => {
      const service = await ServiceProcess.start({ DATABASE_URL: url });
      expect((await httpRequest(service.origin, '/health')).status).toBe(200);
      expect((await service.stop()).status).toBe(0);
    });
  });

  it('treats an empty setting as unset', async () => {
    await withDatabase('sqlite', async ({ url }) => {
      const service = await ServiceProcess.start({
        DATABASE_URL: url,
        REDIS_URL: '',
        METRICS_PORT: '',
        LOG_LEVEL: '',
        WORKERS: '',
      });
      expect((await service.stop('SIGINT')).status).toBe(0);
    });
  });
});

if (REDIS_URL !== '') {
  it('a start whose worker is killed before it serves says so, because the worker cannot', async () => {
    await withDatabase('sqlite', async (database) => {
      await runForJson(database, 'migrate');
      const killed = join(database.folder, 'killed.mjs');
      writeFileSync(
        killed,
        "import cluster from 'node:cluster';\nif (cluster.isWorker) process.kill(process.pid, 'SIGKILL');\n",
      );
      const settings = { DATABASE_URL: database.url, REDIS_URL, WORKERS: '2', NODE_OPTIONS: `--import ${killed}` };
      const err = 'Cannot start: a worker was ended by SIGKILL\n';
      expect(await failedStart(settings)).toMatchObject({ status: 1, err });
    });
  });

  it.each(['/99', '/99999999999', '?db=99'])(
    'a start with a database that Redis does not have ends with one line that names REDIS_URL: %s',
    async (missing) => {
      await withDatabase('sqlite', async ({ url }) => {
        const redisUrl = REDIS_URL.replace(/\/\d*$/, '') + missing;
        const { status, out, err } = await failedStart({ DATABASE_URL: url, REDIS_URL: redisUrl });
        expect([status, out]).toEqual([1, '']);
        expect(err).toMatch(/^Cannot start: REDIS_URL must name a database that Redis has\b.* \(ERR .*\)\n$/);
      });
    },
  );

  describe.each(DIALECTS)('WORKERS=2 with Redis (%s)', (dialect) => {
    it('serves from two processes that share one minute, and stops both', async () => {
      await withDatabase(dialect, async ({ url }) => {
        await runForJson({ url }, 'migrate');
        const { key } = await runForJson({ url }, 'keys', 'create', '--name', 'x', '--rate-limit', '200');
        const service = await ServiceProcess.start({ DATABASE_URL: url, REDIS_URL, WORKERS: '2' });
        await service.process.printed(/"serving"[^]*"serving"/);
        const headers = { 'x-api-key': key };
        // More than two minutes hold: a new one may begin meanwhile.
        const answers = await Promise.all(
          Array.from({ length: 450 }, () => httpRequest(service.origin, '/usage', { headers })),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
        const resets = answers.map(({ headers: received }) => Number(received['x-ratelimit-minute-reset']));
        const accepted = answers.filter(({ status }) => status === 200).length;
        // A new minute may have begun meanwhile. The two processes may round its end differently.
        const minutes = Math.max(...resets) - Math.min(...resets) > 1 ? 2 : 1;
        expect(accepted).toBeGreaterThanOrEqual(200);
        expect(accepted).toBeLessThanOrEqual(200 * minutes);
        const { status, out: log } = await service.stop();
        // The workers and their primary.
        expect([status, log.match(/"stopped"/g)?.length]).toEqual([0, 3]);
        expect(new Set(log.match(/"pid":\d+/g)).size).toBe(3);
      });
    });
  });
}
