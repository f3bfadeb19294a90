import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailableError } from '../../../src/database/database.js';
import { httpRequest } from '../../support/http/request.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const MINUTE_MS = 60_000;
const PROFILE = '/platforms/live_platform/profiles/none';
const MISTYPED = 'cdk_0123456789abcdef0123456789abcdef01234567ffffffffffff';

const send = (service: TestService, key: string, address?: string) =>
  service.get(PROFILE, { 'x-api-key': key, ...(address === undefined ? {} : { 'x-forwarded-for': address }) });

/** Sends wrong keys. @returns the number of answers by status */
async function sendWrong(
  service: TestService,
  count: number,
  address?: string,
  key = MISTYPED,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 1) {
    const { status } = await send(service, key, address);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/** Counts the queries for keys. The search index and the store's health are looked at in the background. */
function countKeyQueries(service: TestService): () => number {
  const spies = (['all', 'findMany', 'write'] as const).map((name) => jest.spyOn(service.database, name));
  const isForKeys = ([statement]: readonly unknown[]) => JSON.stringify(statement).includes('api_keys');
  return () => spies.flatMap((spy) => spy.mock.calls as unknown[][]).filter(isForKeys).length;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describeService('a request with a wrong key', (service) => {
  // Failed keys of one test must not count for the next.
  beforeEach(() => service().clock.advance(MINUTE_MS));

  describe('401', () => {
    it.each([
      ['missing', {}],
      ['empty', { 'x-api-key': '' }],
    ])('header %s: status 401, message API key is required, WWW-Authenticate', async (_, given) => {
      const { status, body, headers } = await httpRequest(service().origin, PROFILE, { headers: given });
      expect([status, body.error]).toEqual([
        401,
        expect.objectContaining({ status: 401, message: 'API key is required', code: 'missing_api_key' }),
      ]);
      expect(headers['www-authenticate']).toMatch(/^ApiKey /);
      expect(headers).not.toHaveProperty('x-quota-units');
      expect(headers).not.toHaveProperty('x-ratelimit-minute-limit');
    });

    it.each(['Bearer KEY', 'Basic YTpi', 'KEY'])(
      'sent as `Authorization: %s`: the same status and message, and a hint that names the header',
      async (scheme) => {
        const authorization = scheme.replace('KEY', service().key);
        const { status, body } = await httpRequest(service().origin, PROFILE, { headers: { authorization } });
        const { message, hint } = body.error;
        expect([status, message]).toEqual([401, 'API key is required']);
        expect(hint).toBe('Send the key in the header x-api-key. Authorization is ignored.');
        expect(JSON.stringify(body)).not.toContain(service().key);
      },
    );

    it('is never throttled', async () => {
      for (let sent = 0; sent < 31; sent += 1) expect((await send(service(), '')).status).toBe(401);
    });
  });

  describe('403', () => {
    it('key unknown, invalid or revoked: status 403, message Invalid API key', async () => {
      const { id, key } = await service().newKey();
      await service().keys.revoke(id);
      const valid = (await service().newKey()).key;
      for (const wrong of [
        key,
        MISTYPED,
        'x',
        valid.toUpperCase(),
        `${valid}0`,
        valid.slice(0, -1),
        `${valid} x`,
        '0'.repeat(5000),
      ]) {
        const { status, body, headers } = await send(service(), wrong);
        expect([status, body.error]).toEqual([
          403,
          expect.objectContaining({ status: 403, message: 'Invalid API key', code: 'invalid_api_key' }),
        ]);
        expect(headers).not.toHaveProperty('x-quota-units');
        expect(headers).not.toHaveProperty('x-ratelimit-minute-limit');
      }
    });

    it('rejects a mistyped key without a query to the store', async () => {
      const { key } = await service().newKey();
      const flipped = `${key.slice(0, 10)}${key[10] === '0' ? '1' : '0'}${key.slice(11)}`;
      const queries = countKeyQueries(service());
      for (const wrong of [flipped, MISTYPED, 'nonsense']) expect((await send(service(), wrong)).status).toBe(403);
      expect(queries()).toBe(0);
      expect((await send(service(), key)).status).toBe(404);
      expect(queries()).toBeGreaterThan(0);
    });

    it('rejects a mistyped key while the store is unreachable, and answers 503 to a valid one', async () => {
      const { key } = await service().newKey();
      jest
        .spyOn(service().database, 'findMany')
        .mockRejectedValue(new StoreUnavailableError(new Error('disconnected')));
      expect((await send(service(), MISTYPED)).status).toBe(403);
      const { status, headers } = await send(service(), key);
      expect([status, Number(headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    });
  });

  describe('429', () => {
    it('30 failed keys a minute from one address are answered 403, further ones 429 with Retry-After', async () => {
      expect(await sendWrong(service(), 30)).toEqual({ 403: 30 });
      const { status, body, headers } = await send(service(), MISTYPED);
      expect([status, body.error.message]).toEqual([429, 'Rate limit exceeded']);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(headers).not.toHaveProperty('x-ratelimit-minute-limit');
    });

    it('does not affect a valid key from that address', async () => {
      const { key } = await service().newKey();
      await sendWrong(service(), 40);
      const { status, headers } = await send(service(), key);
      expect([status, headers['x-ratelimit-minute-remaining']]).toEqual([404, '999']);
      expect((await send(service(), MISTYPED)).status).toBe(429);
    });

    it('sends no query to the store for further failures, including revoked keys rejected before', async () => {
      const { id, key } = await service().newKey();
      await service().keys.revoke(id);
      expect(await sendWrong(service(), 30, undefined, key)).toEqual({ 403: 30 });
      const queries = countKeyQueries(service());
      expect(await sendWrong(service(), 5, undefined, key)).toEqual({ 429: 5 });
      expect(await sendWrong(service(), 5)).toEqual({ 429: 5 });
      expect(queries()).toBe(0);
    });

    it('ends a minute after the first failure, however many followed', async () => {
      service().clock.stopAt(service().clock.now());
      try {
        await sendWrong(service(), 30);
        service().clock.advance(30_000);
        expect((await send(service(), MISTYPED)).headers['retry-after']).toBe('30');
        service().clock.advance(29_999);
        const last = await send(service(), MISTYPED);
        expect([last.status, last.headers['retry-after']]).toEqual([429, '1']);
        service().clock.advance(1);
        expect(await sendWrong(service(), 31)).toEqual({ 403: 30, 429: 1 });
      } finally {
        service().clock.run();
      }
    });
  });

  describe('X-Forwarded-For', () => {
    it('is ignored without TRUST_PROXY, so a caller cannot claim another address', async () => {
      for (let sent = 0; sent < 30; sent += 1)
        expect((await send(service(), MISTYPED, `10.0.0.${sent}`)).status).toBe(403);
      expect((await send(service(), MISTYPED, '10.0.1.1')).status).toBe(429);
    });
  });
});

describeService(
  'a request with a wrong key behind one proxy',
  (service) => {
    it('counts for the address that the proxy saw, the last of X-Forwarded-For', async () => {
      expect(await sendWrong(service(), 31, '192.0.2.1')).toEqual({ 403: 30, 429: 1 });
      expect((await send(service(), MISTYPED, '192.0.2.2')).status).toBe(403);
      expect((await send(service(), MISTYPED, '192.0.2.3, 192.0.2.1')).status).toBe(429);
      expect((await send(service(), MISTYPED, '192.0.2.1, 192.0.2.3')).status).toBe(403);
    });

    it('counts IPv6 addresses by their /64, which one caller has whole, and IPv4 ones that are written as IPv6 as such', async () => {
      const statuses: number[] = [];
      for (let nth = 0; nth < 31; nth += 1) {
        statuses.push(
          (await send(service(), MISTYPED, `2001:db8:1:2:${nth.toString(16)}::${nth.toString(16)}`)).status,
        );
      }
      expect(statuses).toEqual([...Array<number>(30).fill(403), 429]);
      expect((await send(service(), MISTYPED, '2001:db8:1:3::1')).status).toBe(403);
      expect(await sendWrong(service(), 30, '::ffff:198.51.100.1')).toEqual({ 403: 30 });
      expect((await send(service(), MISTYPED, '198.51.100.1')).status).toBe(429);
      expect((await send(service(), MISTYPED, '::ffff:198.51.100.2')).status).toBe(403);
    });

    it('does not ask for a revoked key again from any address of a network that is slowed down', async () => {
      const { id, key } = await service().newKey();
      await service().keys.revoke(id);
      expect(await sendWrong(service(), 30, '2001:db8:5::1', key)).toEqual({ 403: 30 });
      const queries = countKeyQueries(service());
      expect(await sendWrong(service(), 3, '2001:db8:5::2', key)).toEqual({ 429: 3 });
      expect(queries()).toBe(0);
    });

    it('counts for the address of the connection when the header is missing', async () => {
      expect(await sendWrong(service(), 31)).toEqual({ 403: 30, 429: 1 });
    });
  },
  { TRUST_PROXY: '1' },
);
