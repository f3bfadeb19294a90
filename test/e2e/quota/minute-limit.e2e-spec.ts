import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import type { Answer, RequestOptions } from '../../support/http/request.js';
import { describeService } from '../../support/service/test-service.js';

const NONE = '/platforms/live_platform/profiles/none';

/** Returns limit, remaining and reset of an answer as numbers. */
const minuteOf = ({ headers }: Answer) =>
  (['limit', 'remaining', 'reset'] as const).map((name) => Number(headers[`x-ratelimit-minute-${name}`]));

afterEach(() => {
  jest.restoreAllMocks();
});

describeService('the minute limit', (service) => {
  afterEach(() => service().clock.reset());

  /** Returns a function that sends requests with one key. */
  const sender =
    (key: string) =>
    (path: string, options: RequestOptions = {}) =>
      service().request(path, { ...options, headers: { ...options.headers, 'x-api-key': key } });

  describe('headers', () => {
    it('are on every response to a valid key: 200, 304, 400, 404, 405, 413, 415, 429; remaining counts down across endpoints', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const path = `/platforms/live_platform/profiles/${profile.id}`;
      const send = sender((await service().newKey(9)).key);
      const first = await send(path);
      const batch = '/platforms/live_platform/profiles';
      const json = { 'content-type': 'application/json' };
      const answers = [
        first,
        await send(path, { headers: { 'if-none-match': String(first.headers.etag) } }),
        await send('/games/search?query=x&limit=0'),
        await send(NONE),
        await send('/no/such/path'),
        await send('/usage', { method: 'DELETE' }),
        await send(batch, { method: 'POST', headers: json, body: 'x'.repeat(256 * 1024 + 1) }),
        await send(batch, { method: 'POST', body: '{}' }),
        await send('/usage'),
        await send('/usage'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 400, 404, 404, 405, 413, 415, 200, 429]);
      expect(answers.map((answer) => minuteOf(answer).slice(0, 2))).toEqual(
        [8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map((left) => [9, left]),
      );
    });

    it('a key without allowance waits at most a minute, even when the system clock is set back by an hour', async () => {
      const send = sender((await service().newKey(1)).key);
      await send(NONE);
      service().clock.setBack(3_600_000);
      const refused = await send(NONE);
      expect([refused.status, Number(refused.headers['retry-after']) <= 60]).toEqual([429, true]);
      service().clock.advance(60_000);
      expect((await send(NONE)).status).toBe(404);
    });

    it('the last allowed request has remaining 0, the next one is 429 with Retry-After of at least 1', async () => {
      const send = sender((await service().newKey(2)).key);
      expect([(await send(NONE)).status, minuteOf(await send(NONE))[1]]).toEqual([404, 0]);
      const refused = await send(NONE);
      expect([refused.status, refused.body.error]).toEqual([
        429,
        expect.objectContaining({ status: 429, message: 'Rate limit exceeded', code: 'rate_limit_exceeded' }),
      ]);
      expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect([refused.headers['x-quota-units'], refused.headers['x-credits']]).toEqual(['0', '0']);
    });

    it('reset is in UNIX seconds, a minute after the first request of the window', async () => {
      service().clock.stopAt(Date.UTC(2027, 0, 1, 12, 0, 0, 250));
      const send = sender((await service().newKey()).key);
      const reset = Date.UTC(2027, 0, 1, 12, 1, 1) / 1000;
      expect(minuteOf(await send(NONE))[2]).toBe(reset);
      service().clock.advance(59_000);
      expect(minuteOf(await send(NONE))[2]).toBe(reset);
    });

    it('reset is never before the end of the minute, even when a request is counted late', async () => {
      service().clock.stopAt(Date.UTC(2027, 1, 1, 12, 0, 0, 700));
      const send = sender((await service().newKey()).key);
      jest.spyOn(service().clock, 'now').mockImplementationOnce(() => Date.UTC(2027, 1, 1, 12, 0, 0, 100) - 250);
      expect(minuteOf(await send(NONE))[2]).toBe(Date.UTC(2027, 1, 1, 12, 1, 1) / 1000);
    });
  });

  describe('window', () => {
    it('is fixed: one minute from the first request, not from the last', async () => {
      service().clock.stopAt(Date.UTC(2027, 2, 1, 12, 0, 0, 0));
      const send = sender((await service().newKey(2)).key);
      expect((await send(NONE)).status).toBe(404);
      service().clock.advance(30_000);
      expect((await send(NONE)).status).toBe(404);
      service().clock.advance(29_999);
      const last = await send(NONE);
      expect([last.status, last.headers['retry-after']]).toEqual([429, '1']);
      service().clock.advance(1);
      const next = await send(NONE);
      expect([next.status, ...minuteOf(next)]).toEqual([404, 2, 1, Date.UTC(2027, 2, 1, 12, 2, 0) / 1000]);
    });

    it('Retry-After is the whole seconds until the minute ends', async () => {
      service().clock.stopAt(Date.UTC(2027, 3, 1, 12, 0, 0, 500));
      const send = sender((await service().newKey(1)).key);
      await send(NONE);
      expect((await send(NONE)).headers['retry-after']).toBe('60');
      service().clock.advance(500);
      expect((await send(NONE)).headers['retry-after']).toBe('60');
      service().clock.advance(500);
      expect((await send(NONE)).headers['retry-after']).toBe('59');
    });
  });

  describe('allowance', () => {
    it('is 1,000 requests per key by default', async () => {
      expect(minuteOf(await sender((await service().newKey()).key)(NONE)).slice(0, 2)).toEqual([1000, 999]);
    });

    it('is separate for each key: an exhausted one does not affect the others', async () => {
      const [one, two] = [sender((await service().newKey(1)).key), sender((await service().newKey(3)).key)];
      await one(NONE);
      expect((await one(NONE)).status).toBe(429);
      expect(minuteOf(await two(NONE)).slice(0, 2)).toEqual([3, 2]);
    });

    it('counts a request once, whatever it costs', async () => {
      const send = sender((await service().newKey(3)).key);
      await send('/games/search?query=none&limit=100');
      expect(minuteOf(await send('/platforms/live_platform/content?limit=50'))[1]).toBe(1);
    });

    it('counts before the request is validated: an invalid request beyond it is a 429', async () => {
      const send = sender((await service().newKey(1)).key);
      await send(NONE);
      expect((await send('/games/search?limit=0')).status).toBe(429);
      expect((await send('/platforms/nowhere/profiles', { method: 'POST', body: 'no JSON' })).status).toBe(429);
    });

    it('is not used by wrong keys, health checks and documentation', async () => {
      const { key } = await service().newKey(2);
      const send = sender(key);
      for (const path of ['/health', '/health/live', '/openapi.json', '/docs']) {
        const answer = await send(path);
        expect([answer.status, answer.headers['x-ratelimit-minute-limit']]).toEqual([200, undefined]);
      }
      expect(minuteOf(await send(NONE))[1]).toBe(1);
    });

    it('lets exactly 200 of 300 concurrent requests pass', async () => {
      const send = sender((await service().newKey(200)).key);
      const answers = await Promise.all(Array.from({ length: 300 }, () => send(NONE)));
      const passed = answers.filter(({ status }) => status === 404);
      expect([passed.length, answers.filter(({ status }) => status === 429).length]).toEqual([200, 100]);
      expect(passed.map((answer) => minuteOf(answer)[1]).sort((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 200 }, (_, left) => left),
      );
    });
  });
});

describeService(
  'RATE_LIMIT_PER_MINUTE',
  (service) => {
    it('sets the allowance of keys without their own', async () => {
      const [plain, own] = [await service().newKey(), await service().newKey(5)];
      expect(minuteOf(await service().get(NONE, { 'x-api-key': plain.key }))[0]).toBe(3);
      expect(minuteOf(await service().get(NONE, { 'x-api-key': own.key }))[0]).toBe(5);
    });
  },
  { RATE_LIMIT_PER_MINUTE: '3' },
);
