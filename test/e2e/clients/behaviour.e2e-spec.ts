import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  InstalledClient,
  LANGUAGES,
  type ClientDriver,
  type DriverOptions,
} from '../../support/clients/installed-client.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { Description, type DescribedOperation } from '../../support/openapi/operations.js';
import { loadSampleData, sampleRequestValues } from '../../support/records/sample-data.js';
import { sendExample } from '../../support/openapi/examples.js';
import { TestService } from '../../support/service/test-service.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';

/** Time for packing and installing both clients. */
const TIMEOUT_MS = 120_000;

const camelCase = (id: string) => id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Method of the client for an operation; `health` is `health.get`. */
const methodOf = (id: string) => camelCase(id.includes('.') ? id : `${id}.get`);

/** Parameters and body of the example request of an operation. */
function exampleOf({ parameters, bodyExample }: DescribedOperation) {
  const examples = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example] as const]));
  const given = { parameters: Object.fromEntries(examples) as Record<string, string | number> };
  return bodyExample === undefined ? given : { ...given, body: bodyExample };
}

describe.each(LANGUAGES)('the client for %s', (language) => {
  let service: TestService;
  let client: InstalledClient;
  let description: Description;
  const drivers: ClientDriver[] = [];
  const start = (options: Partial<DriverOptions> = {}) => {
    const driver = client.start({ baseUrl: service.origin, apiKey: service.key, ...options });
    drivers.push(driver);
    return driver;
  };
  beforeAll(async () => {
    service = await TestService.start('sqlite');
    await loadSampleData(service);
    description = await Description.of(service);
    client = await InstalledClient.install(language);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all(drivers.map((driver) => driver.stop()));
    client.remove();
    await service.stop();
  }, TIMEOUT_MS);

  it('has a method for every operation, which returns what the service answers', async () => {
    const driver = start();
    expect(description.operations.length).toBeGreaterThan(17);
    for (const operation of description.operations) {
      const { operationId: id } = operation;
      const example = exampleOf(operation);
      const direct = await sendExample(service, operation, example);
      const { answer } = await driver.call({
        method: methodOf(id),
        parameters: { ...example.parameters, ...example.body },
      });
      expect([id, answer.status]).toEqual([id, 200]);
      // The usage grows with each request.
      if (id !== 'usage.get') expect(answer.payload).toEqual(direct.body.payload);
      expect(Object.keys(answer.meta).toSorted()).toEqual(Object.keys(direct.body.meta).toSorted());
      expect(answer.paging).toEqual(direct.body.paging);
    }
  });

  it('walks every list to its end, record by record and page by page', async () => {
    const driver = start();
    const values = sampleRequestValues();
    const lists = description.operations.filter(
      ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
    );
    expect(lists.length).toBeGreaterThan(3);
    for (const { operationId: id, path, parameters } of lists) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => [name, values[name]]);
      const given = Object.fromEntries(inPath) as Record<string, string>;
      const expected = await service.walk(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? ''));
      const call = { parameters: { ...given, limit: 2 } };
      expect((await driver.call({ method: `${methodOf(id)}All`, ...call })).items).toEqual(expected);
      const { items: pages = [] } = await driver.call({ method: `${methodOf(id)}Pages`, ...call });
      expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);
      expect(pages.length).toBeGreaterThan(1);
    }
  });

  it('walks a list from a cursor on', async () => {
    const driver = start();
    const parameters = { platform: 'live_platform', limit: 3 };
    const { items: pages = [] } = await driver.call({ method: 'profiles.listPages', parameters });
    const cursor = pages[0].paging.next_cursor;
    const { items } = await driver.call({ method: 'profiles.listAll', parameters: { ...parameters, cursor } });
    expect(items).toEqual(pages.slice(1).flatMap(({ payload }) => payload));
  });

  it('looks up more than 100 IDs in parts, each ID once', async () => {
    const driver = start();
    const unknown = Array.from({ length: 230 }, (_, nth) => `none-${nth}`);
    const parameters = { platform: 'live_platform', profile_ids: ['10001', ...unknown, '10002', '10001'] };
    const { items: answers = [] } = await driver.call({ method: 'profiles.batchInParts', parameters });
    expect(answers.map(({ cost }) => cost.quotaUnits)).toEqual([100, 100, 32]);
    expect(answers.flatMap(({ payload }) => payload.map(({ id }: { id: string }) => id))).toEqual(['10001', '10002']);
    expect(answers.flatMap(({ meta }) => meta.missing_ids)).toEqual(unknown);
  });

  it('puts any ID into the path, and rejects one that would change the path', async () => {
    const driver = start();
    const profile_id = `a/b c?d=#%2F.${uniqueId()}ü`;
    await service.load('profiles', aProfile({ id: profile_id }));
    const get = (id: string) =>
      driver.call({ method: 'profiles.get', parameters: { platform: 'live_platform', profile_id: id } });
    expect((await get(profile_id)).answer.payload.id).toBe(profile_id);
    for (const id of ['', '.', '..']) {
      expect((await get(id)).error).toEqual({
        type: language === 'Python' ? 'ValueError' : 'TypeError',
        message: 'profile_id must be a text other than "", "." or ".."',
      });
    }
  });

  it('returns cost, limit and request ID with an answer', async () => {
    const { key } = await service.newKey(30);
    const driver = start({ apiKey: key });
    const parameters = { query: 'starhaven', limit: 2 };
    const { answer } = await driver.call({ method: 'games.search', parameters });
    expect(answer).toMatchObject({
      cost: { quotaUnits: 2, credits: 4 },
      rateLimit: { limit: 30, remaining: 29, resetAt: expect.stringMatching(/^\d{4}-.*:\d\d\.000Z$/) },
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      contentType: 'application/json; charset=utf-8',
      attempts: 1,
      notModified: false,
    });
  });

  it('makes an error of every answer but a success, with its cost and what its body says', async () => {
    const driver = start();
    const none = { platform: 'live_platform', profile_id: 'none' };
    expect((await driver.call({ method: 'profiles.get', parameters: none })).error).toMatchObject({
      type: 'ApiError',
      status: 404,
      message: 'Profile not found',
      cost: { quotaUnits: 1, credits: 0 },
      rateLimit: { limit: 1_000_000 },
      attempts: 1,
    });
    const { body } = await service.get('/platforms/live_platform/profiles?order=up');
    const { error } = await driver.call({
      method: 'profiles.list',
      parameters: { platform: 'live_platform', order: 'up' },
    });
    const {
      code = null,
      parameter = null,
      allowed = null,
      hint = null,
      documentation_url: documentationUrl = null,
    } = body.error;
    expect(error).toMatchObject({
      status: 400,
      message: body.error.message,
      code,
      parameter,
      allowed,
      hint,
      documentationUrl,
    });
    expect(error.body.meta.request_id).toBe(error.requestId);
  });

  it('returns the data of an earlier answer for free until it changes', async () => {
    const driver = start();
    const profile_id = uniqueId();
    await service.load('profiles', aProfile({ id: profile_id, display_name: 'Before' }));
    const call = { method: 'profiles.get', parameters: { platform: 'live_platform', profile_id } };
    await driver.call(call);
    for (const _ of [1, 2]) {
      const { answer } = await driver.call({ ...call, usesLast: true });
      expect(answer).toMatchObject({
        status: 304,
        notModified: true,
        cost: { quotaUnits: 0 },
        payload: { display_name: 'Before' },
      });
    }
    await service.load('profiles', aProfile({ id: profile_id, display_name: 'After' }));
    const { answer } = await driver.call({ ...call, usesLast: true });
    expect(answer).toMatchObject({
      status: 200,
      notModified: false,
      cost: { quotaUnits: 1 },
      payload: { display_name: 'After' },
    });
  });

  it('does so by itself with a cache, for each address', async () => {
    const driver = start({ hasCache: true });
    const walk = () =>
      driver.call({ method: 'profiles.listPages', parameters: { platform: 'live_platform', limit: 5 } });
    const { items: first = [] } = await walk();
    const { items: second = [] } = await walk();
    expect(first.length).toBeGreaterThan(1);
    expect(second.map(({ status, cost }) => [status, cost.quotaUnits])).toEqual(first.map(() => [304, 0]));
    expect(second.map(({ payload }) => payload)).toEqual(first.map(({ payload }) => payload));
  });

  it('waits for the next minute when the key has used up its allowance, and completes the list', async () => {
    const { key } = await service.newKey(3);
    const driver = start({ apiKey: key });
    await service.request('/usage', { headers: { 'x-api-key': key } });
    service.clock.advance(58_500);
    const expected = await service.walk('/platforms/photo_platform/profiles');
    const parameters = { platform: 'photo_platform', limit: Math.ceil(expected.length / 3) };
    const { items: pages = [] } = await driver.call({ method: 'profiles.listPages', parameters });
    expect(pages.map(({ attempts }) => attempts)).toEqual([1, 1, 2]);
    expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);
  });

  it('does not retry a 429 whose wait exceeds its bound', async () => {
    const { key } = await service.newKey(1);
    const driver = start({ apiKey: key, maxRetryWaitMs: 5_000 });
    await driver.call({ method: 'usage.get' });
    const { error } = await driver.call({ method: 'usage.get' });
    expect(error).toMatchObject({ type: 'ApiError', status: 429, message: 'Rate limit exceeded', attempts: 1 });
    expect(error.retryAfter).toBeGreaterThan(50);
    expect(error.rateLimit.remaining).toBe(0);
  });

  describe('over a connection that breaks', () => {
    const call = { method: 'profiles.get', parameters: { platform: 'live_platform', profile_id: '10001' } };
    let proxy: TcpProxy;
    beforeAll(async () => {
      proxy = await TcpProxy.to(service.origin, 80);
    });
    afterAll(() => proxy.close());
    const startThrough = (options: Partial<DriverOptions> = {}) =>
      start({ ...options, baseUrl: `http://127.0.0.1:${proxy.port}` });

    it('retries until the service is reachable again', async () => {
      const driver = startThrough();
      await proxy.cut();
      const called = driver.call(call);
      await delay(600);
      await proxy.restore();
      const { answer } = await called;
      expect(answer.status).toBe(200);
      expect(answer.attempts).toBeGreaterThan(1);
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
      expect(performance.now() - startedAt).toBeLessThan(3_000);
    });
  });
});

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
// Only a server can be disconnected.
const describeServer = MYSQL_URL === '' ? describe.skip : describe;

describeServer.each(LANGUAGES)('the client for %s, during an outage of the database', (language) => {
  it(
    'waits after a 503 and completes the list',
    async () => {
      const owner = await TestService.start('mysql');
      await loadSampleData(owner);
      const proxy = await TcpProxy.to(MYSQL_URL, 3306);
      const service = await owner.startSecond({ DATABASE_URL: proxy.urlOf(owner.testDatabase.url) });
      const client = await InstalledClient.install(language);
      const driver = client.start({ baseUrl: service.origin, apiKey: service.key });
      const expected = await owner.walk('/platforms/live_platform/content');

      await proxy.cut();
      expect((await service.get('/usage')).status).toBe(503);
      const called = driver.call({ method: 'content.listPages', parameters: { platform: 'live_platform', limit: 5 } });
      await delay(1_500);
      await proxy.restore();
      const { items: pages = [] } = await called;
      expect(pages[0].attempts).toBeGreaterThan(1);
      expect(pages.flatMap(({ payload }) => payload)).toEqual(expected);

      await driver.stop();
      client.remove();
      await service.stop();
      await proxy.close();
      await owner.stop();
    },
    TIMEOUT_MS,
  );
});
