import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientSession } from '../../support/clients/client-session.js';
import { LANGUAGES, type DriverOptions } from '../../support/clients/installed-client.js';
import { loadSampleData } from '../../support/records/sample-data.js';
import { TestService } from '../../support/service/test-service.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
// Only a server can be disconnected.
const describeServer = MYSQL_URL === '' ? describe.skip : describe;

describe.each(LANGUAGES)('retries of the client for %s', (language) => {
  let session: ClientSession;
  beforeAll(async () => {
    session = await ClientSession.open(language);
  });
  afterAll(() => session.close());

  it('waits for the next minute when the key has used up its allowance, and completes the list', async () => {
    const expected = await session.service.walk('/platforms/photo_platform/profiles');
    const { key } = await session.service.newKey(3);
    const driver = session.start({ apiKey: key });
    await session.service.request('/usage', { headers: { 'x-api-key': key } });
    // Leaves the client time to use up the minute, on a busy machine too.
    session.service.clock.advance(54_000);
    const parameters = { platform: 'photo_platform', limit: Math.ceil(expected.length / 3) };
    const { items: pages = [] } = await driver.call({ method: 'profiles.listPages', parameters });
    expect(pages.map(({ attempts }) => attempts)).toEqual([1, 1, 2]);
    expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);
  });

  it('does not retry a 429 whose wait exceeds its bound', async () => {
    const { key } = await session.service.newKey(1);
    const driver = session.start({ apiKey: key, maxRetryWaitMs: 5_000 });
    await driver.call({ method: 'usage.get' });
    const { error } = await driver.call({ method: 'usage.get' });
    expect(error).toMatchObject({ type: 'ApiError', status: 429, message: 'Rate limit exceeded', attempts: 1 });
    expect(error.retryAfter).toBeGreaterThan(5);
    expect(error.rateLimit.remaining).toBe(0);
  });

  describe('over a connection that breaks', () => {
    const call = { method: 'profiles.get', parameters: { platform: 'live_platform', profile_id: '10001' } };
    let proxy: TcpProxy;
    beforeAll(async () => {
      proxy = await TcpProxy.to(session.service.origin, 80);
    });
    afterAll(() => proxy.close());
    const startThrough = (options: Partial<DriverOptions> = {}) =>
      session.start({ ...options, baseUrl: `http://127.0.0.1:${proxy.port}` });

    it('retries until the service is reachable again', async () => {
      const driver = startThrough();
      proxy.break(2);
      const { answer } = await driver.call(call);
      expect([answer.status, answer.attempts]).toEqual([200, 3]);
    });

    it('needs no retry when the service closed an idle connection', async () => {
      const driver = startThrough();
      await driver.call(call);
      await proxy.cut();
      await proxy.restore();
      await delay(100);
      expect((await driver.call(call)).answer.attempts).toBe(1);
    });

    it('gives up after its number of retries', async () => {
      const driver = startThrough({ maxRetries: 1 });
      await proxy.cut();
      const { error } = await driver.call(call);
      await proxy.restore();
      expect(error).toEqual({
        type: 'ConnectionFailedError',
        message: expect.stringMatching(/^the connection failed: .*(ECONNREFUSED|refused)/),
      });
    });

    it('gives up after its timeout, without a retry that could be charged', async () => {
      const driver = startThrough();
      await driver.call(call);
      proxy.hang();
      const startedAt = performance.now();
      const { error } = await driver.call({ ...call, timeoutMs: 500 });
      await proxy.restore();
      expect(error).toEqual({
        type: 'RequestTimeoutError',
        message: expect.stringMatching(/^no response within (500 ms|0\.5 s)$/),
      });
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    });
  });

  describeServer('during an outage of the database', () => {
    it('waits after a 503 and completes the list', async () => {
      const owner = await TestService.start('mysql');
      await loadSampleData(owner);
      const proxy = await TcpProxy.to(MYSQL_URL, 3306);
      const cutOff = await owner.startSecond({ DATABASE_URL: proxy.urlOf(owner.testDatabase.url) });
      const driver = session.client.start({ baseUrl: cutOff.origin, apiKey: cutOff.key });
      const expected = await owner.walk('/platforms/live_platform/content');

      await driver.call({ method: 'usage.get' }); // so that it has started
      await proxy.cut();
      expect((await cutOff.get('/usage')).status).toBe(503);
      const called = driver.call({
        method: 'content.listPages',
        parameters: { platform: 'live_platform', limit: 5 },
      });
      await delay(4_000);
      await proxy.restore();
      const { items: pages = [] } = await called;
      expect(pages[0].attempts).toBeGreaterThan(1);
      expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);

      await driver.stop();
      await cutOff.stop();
      await proxy.close();
      await owner.stop();
    });
  });
});
