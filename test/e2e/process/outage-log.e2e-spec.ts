import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { freePort } from '../../support/stores/free-port.js';
import { httpRequest } from '../../support/http/request.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
const REDIS_URL = process.env.TEST_REDIS_URL ?? '';
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly down_ms: number;
  readonly err: { readonly message: string; readonly stack?: string; readonly code: string };
}

/** A service that is watched by nobody but the test. */
class WatchedService {
  private constructor(
    private readonly database: TestDatabase,
    private readonly service: ServiceProcess,
    private readonly metricsPort: number,
    private readonly key: string,
  ) {}

  static async start(database: TestDatabase, settings: Readonly<Record<string, string>> = {}): Promise<WatchedService> {
    await runForJson(database, 'migrate');
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x');
    const metricsPort = await freePort();
    const service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: database.folder,
      METRICS_PORT: String(metricsPort),
      ...settings,
    });
    return new WatchedService(database, service, metricsPort, String(key));
  }

  async request(): Promise<number> {
    return (await httpRequest(this.service.origin, '/usage', { headers: { 'x-api-key': this.key } })).status;
  }

  /** Scrapes the gauges `creator_data_STORE_up`. */
  async scrape(): Promise<Record<string, number>> {
    const text = await (await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`)).text();
    const gauges = text.matchAll(/^creator_data_(\w+)_up (\d+)$/gm);
    return Object.fromEntries(Array.from(gauges, ([, store, value]) => [store, Number(value)]));
  }

  /** Returns the lines of the log with a message. */
  logged(message: string): Line[] {
    const lines = this.service.process.out.split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg.startsWith(message));
  }

  async untilLogged(message: string): Promise<Line | undefined> {
    await until(`it logs "${message}"`, () => this.logged(message).length > 0);
    return this.logged(message)[0];
  }

  async stop(): Promise<void> {
    await this.service.stop('SIGKILL');
    await this.database.drop();
  }
}

// Only a server can be disconnected.
const describeServer = MYSQL_URL === '' ? describe.skip : describe;

describeServer('an outage of the database server', () => {
  let proxy: TcpProxy;
  let service: WatchedService;
  beforeEach(async () => {
    proxy = await TcpProxy.to(MYSQL_URL, 3306);
    const database = await createTestDatabase('mysql');
    service = await WatchedService.start(database, { DATABASE_URL: proxy.urlOf(database.url) });
  });
  afterEach(async () => {
    await service.stop();
    await proxy.close();
  });

  it.each(['cut', 'hang'] as const)(
    'shows in the gauges without any request, and so does its end (%s)',
    async (outage) => {
      expect(await service.scrape()).toEqual({ database: 1, usage: 1, search: 1 });
      await proxy[outage]();
      await until('both are down', async () => (await service.scrape()).usage === 0);
      expect(await service.scrape()).toEqual({ database: 0, usage: 0, search: 1 });
      await proxy.restore();
      await until('all are up', async () => Object.values(await service.scrape()).join() === '1,1,1');
    },
  );

  it('is over in the log without a further request, with its length', async () => {
    await proxy.cut();
    expect(await service.request()).toBe(503);
    const cutAt = Date.now();
    await proxy.restore();
    const back = await service.untilLogged('the database is available again');
    expect(back?.down_ms).toBeGreaterThan(0);
    expect(back?.down_ms).toBeLessThanOrEqual(Date.now() - cutAt + 30_000);
    expect(service.logged('the database is available again')).toHaveLength(1);
  });

  it('is logged with its error once, without a stack, and as a warning', async () => {
    await proxy.cut();
    await service.request();
    const failure = await service.untilLogged('store unavailable');
    const { message = '', stack, code } = failure?.err ?? {};
    expect([failure?.level, code]).toEqual([WARN, 'ECONNREFUSED']);
    expect(message.match(/ECONNREFUSED/g)).toHaveLength(1);
    expect(stack).toBeUndefined();
    expect(await service.untilLogged('request')).toMatchObject({ level: WARN, status: 503 });
  });
});

describe.each(DIALECTS)('an outage of recording usage (%s)', (dialect) => {
  let service: WatchedService;
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    service = await WatchedService.start(database);
  });
  afterEach(() => service.stop());

  it('is over in the log with its length and the number of records that wait, and again when these are settled', async () => {
    const unlock = await lockUsage(database);
    expect(await Promise.all([service.request(), service.request()])).toEqual([503, 503]);
    expect(await service.scrape()).toMatchObject({ database: 1, usage: 0 });
    await unlock();
    expect(await service.untilLogged('usage records are written again')).toMatchObject({
      down_ms: expect.any(Number),
      unsettled_records: 2,
    });
    expect(await service.untilLogged('usage records of an outage are settled')).toMatchObject({ records: 2 });
    expect(await service.scrape()).toMatchObject({ database: 1, usage: 1 });
  });

  it('that only a check noticed is over in the log without a further check', async () => {
    const unlock = await lockUsage(database);
    await until('the gauge is down', async () => (await service.scrape()).usage === 0);
    await unlock();
    expect(await service.untilLogged('usage records are written again')).toMatchObject({ unsettled_records: 0 });
    expect(service.logged('usage records could not be written')).toHaveLength(1);
  });
});

const describeRedis = REDIS_URL === '' ? describe.skip : describe;

describeRedis('an outage of Redis', () => {
  let proxy: TcpProxy;
  let service: WatchedService;
  beforeEach(async () => {
    proxy = await TcpProxy.to(REDIS_URL, 6379);
    const database = await createTestDatabase('sqlite');
    service = await WatchedService.start(database, { REDIS_URL: proxy.urlOf(REDIS_URL) });
  });
  afterEach(async () => {
    await service.stop();
    await proxy.close();
  });

  it('shows in the gauge without any request when Redis hangs', async () => {
    proxy.hang();
    expect((await service.scrape()).redis).toBe(0);
    await proxy.restore();
    await until('it is up', async () => (await service.scrape()).redis === 1);
  });

  it('is over in the log without a further request, with its length', async () => {
    proxy.hang();
    expect(await service.request()).toBe(200);
    await proxy.restore();
    const back = await service.untilLogged('Redis is reachable again');
    expect(back?.down_ms).toBeGreaterThan(0);
  });
});
