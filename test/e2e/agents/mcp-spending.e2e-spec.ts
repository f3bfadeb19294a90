import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { DIALECTS } from '../../support/stores/test-database.js';
import { CALL_USAGE, INITIALIZE, McpClient, postMessage, textsOf } from '../../support/service/mcp-client.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { describeService, TestService } from '../../support/service/test-service.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';
import { exportedRecords } from '../../support/service/usage.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';
const DAY_MS = 24 * 3_600_000;

/** Runs a test in a session with a limit in credits. */
async function spending(
  service: TestService,
  maxCredits: number,
  test: (client: McpClient) => Promise<void>,
  key = service.key,
): Promise<void> {
  const client = await McpClient.connect(service.origin, key, { 'X-Max-Credits': String(maxCredits) });
  try {
    await test(client);
  } finally {
    await client.close();
  }
}

/** Opens a session without the SDK. @returns its headers */
async function openSession(service: TestService, key = service.key): Promise<Record<string, string>> {
  const { headers } = await postMessage(service, INITIALIZE, { 'x-max-credits': '10', 'x-api-key': key });
  return { 'mcp-session-id': String(headers['mcp-session-id']), 'x-api-key': key };
}

describeService('the credit limit of /mcp', (service) => {
  let id: string;
  beforeAll(async () => {
    id = await loadOneOfEach(service());
  });
  const ofCreator = () => ({ platform: 'live_platform', profile_id: id });

  it('rejects a call that could exceed max_credits before sending it, and states the remaining credits', async () => {
    const { id: keyId, key } = await service().newKey();
    await spending(
      service(),
      150,
      async (client) => {
        const first = await client.call('analysis_get', ofCreator());
        expect(first._meta.session).toEqual({ max_credits: 150, spent_credits: 100 });
        expect(textsOf(first)[1]).toContain('This session: 100 of 150 credits spent.');
        const refused = await client.call('audience_get', ofCreator());
        expect(refused).toMatchObject({
          isError: true,
          _meta: { cost: { quota_units: 0, credits: 0 }, session: { max_credits: 150, spent_credits: 100 } },
        });
        expect(textsOf(refused)).toEqual([
          "Rejected by the session's credit limit; nothing was sent. This call can cost 100 credits. Of max_credits " +
            '150, 100 are spent or reserved by calls in flight. 50 credits left. If other calls are in flight, call again ' +
            'when they are answered. Otherwise ask for fewer items, or have the person who set the limit raise it and ' +
            'connect again.',
        ]);
        expect((await client.call('socials_get', ofCreator()))._meta.session.spent_credits).toBe(110);
      },
      key,
    );
    const records = (await exportedRecords(service())).filter((row) => row.key_id === keyId);
    expect(records.map(({ operation, credits }) => [operation, credits])).toEqual([
      ['analysis.get', 100],
      ['socials.get', 10],
    ]);
  });

  it("refunds a call that does not fit into the key's month, and says so and what is left", async () => {
    const { id: keyId, key } = await service().newKey();
    await service().keys.setAllowance(keyId, { month_units: 150, month_credits: 1000 });
    await spending(
      service(),
      500,
      async (client) => {
        const first = await client.call('analysis_get', ofCreator());
        expect(textsOf(first)[1]).toContain('Left of this month: 50 units, 900 credits.');
        const refused = await client.call('audience_get', ofCreator());
        expect(refused).toMatchObject({
          isError: true,
          structuredContent: { error: { code: 'monthly_allowance_used_up' } },
          _meta: { cost: { quota_units: 0, credits: 0 }, session: { max_credits: 500, spent_credits: 100 } },
        });
        expect(textsOf(refused)[0]).toBe(
          '402: Monthly allowance used up. The request costs more units or credits than the month has left. ' +
            'Ask for fewer items, or ask the operator for a larger allowance. Nothing was charged. The same call fits again when the next month (UTC) begins.',
        );
        expect(textsOf(refused)[1]).toContain('Left of this month: 50 units, 900 credits.');
      },
      key,
    );
  });

  it('counts what answers cost, not what they could have cost', async () => {
    await spending(service(), 200, async (client) => {
      // The limit permits 100 games for 200 credits; one game exists.
      const search = await client.call('games_search', { query: 'game', limit: 100 });
      expect(search._meta.session).toEqual({ max_credits: 200, spent_credits: 2 });
      const missing = await client.call('analysis_get', { platform: 'live_platform', profile_id: 'unknown' });
      expect(missing._meta.session.spent_credits).toBe(2);
      const wrong = await client.call('analysis_get', { platform: 'nowhere', profile_id: id });
      expect(wrong._meta.session.spent_credits).toBe(2);
    });
  });

  it('estimates by the requested limit, or by the maximum when the limit is not a number of items', async () => {
    await spending(service(), 20, async (client) => {
      const search = (limit: unknown) => client.call('games_search', { query: 'game', limit });
      expect(textsOf(await search(11))[0]).toContain('This call can cost 22 credits');
      expect(textsOf(await search(null))[0]).toContain('This call can cost 40 credits');
      for (const odd of ['ten', 1000, -1, 1.5]) {
        expect(textsOf(await search(odd))[0]).toContain('This call can cost 200 credits');
      }
      expect((await search(10)).isError).toBeUndefined();
    });
  });

  it('allows calls that cost no credits under a limit of 0', async () => {
    await spending(service(), 0, async (client) => {
      expect((await client.call('profiles_get', ofCreator())).isError).toBeUndefined();
      expect((await client.call('socials_get', ofCreator())).isError).toBe(true);
    });
  });

  it('cannot be exceeded by concurrent calls', async () => {
    await spending(service(), 250, async (client) => {
      const results = await Promise.all(Array.from({ length: 20 }, () => client.call('analysis_get', ofCreator())));
      expect(results.filter(({ isError }) => isError !== true)).toHaveLength(2);
    });
  });

  it('counts each session of a key separately', async () => {
    await spending(service(), 100, async (one) => {
      await spending(service(), 100, async (two) => {
        expect((await one.call('analysis_get', ofCreator())).isError).toBeUndefined();
        expect((await two.call('analysis_get', ofCreator())).isError).toBeUndefined();
        expect((await one.call('analysis_get', ofCreator())).isError).toBe(true);
      });
    });
  });

  it('rejects a limit that is not a whole number when the session starts', async () => {
    for (const limit of ['-1', '1.5', 'many', '']) {
      const { status, body } = await postMessage(service(), INITIALIZE, { 'x-max-credits': limit });
      expect([status, body.error.message]).toEqual([400, 'X-Max-Credits must be a whole number']);
    }
  });

  it('rejects messages that name a limit without a session, because nothing would count them', async () => {
    const { status, body } = await postMessage(service(), CALL_USAGE, { 'x-max-credits': '10' });
    expect([status, body.error.message]).toEqual([400, 'X-Max-Credits needs a session: send Mcp-Session-Id']);
  });

  describe('a session', () => {
    it('belongs to the key that opened it', async () => {
      const session = await openSession(service());
      expect((await postMessage(service(), CALL_USAGE, session)).status).toBe(200);
      const { key } = await service().newKey();
      expect((await postMessage(service(), CALL_USAGE, { ...session, 'x-api-key': key })).status).toBe(404);
    });

    it('ends with DELETE and is unknown afterwards: 404', async () => {
      const session = await openSession(service());
      expect((await service().request('/mcp', { method: 'DELETE', headers: session })).status).toBe(204);
      const { status, body } = await postMessage(service(), CALL_USAGE, session);
      expect(status).toBe(404);
      expect(body).toEqual({
        jsonrpc: '2.0',
        error: {
          code: -32001,
          message: 'Session not found: initialize again',
          data: expect.objectContaining({ code: 'session_not_found', hint: 'Send initialize again.' }),
        },
        id: null,
      });
    });

    it('expires a day after its last message, not after its first', async () => {
      try {
        const session = await openSession(service());
        for (const [wait, status] of [
          [DAY_MS - 1000, 200],
          [DAY_MS - 1000, 200],
          [DAY_MS, 404],
        ] as const) {
          service().clock.advance(wait);
          expect((await postMessage(service(), CALL_USAGE, session)).status).toBe(status);
        }
      } finally {
        service().clock.reset();
      }
    });

    it('is dropped when its key opens a hundred more; sessions of other keys stay', async () => {
      const { key } = await service().newKey();
      const other = await openSession(service());
      const first = await openSession(service(), key);
      const second = await openSession(service(), key);
      await Promise.all(Array.from({ length: 99 }, () => openSession(service(), key)));
      expect((await postMessage(service(), CALL_USAGE, first)).status).toBe(404);
      expect((await postMessage(service(), CALL_USAGE, second)).status).toBe(200);
      expect((await postMessage(service(), CALL_USAGE, other)).status).toBe(200);
    });
  });
});

// Skipped on machines without Redis.
const describeRedis = REDIS_URL === '' ? describe.skip : describe;

describeRedis.each(DIALECTS)('the credit limit of two processes that share Redis (%s)', (dialect) => {
  let one: TestService;
  let two: TestService;
  let proxy: TcpProxy;
  let id: string;
  beforeAll(async () => {
    proxy = await TcpProxy.to(REDIS_URL, 6379);
    const settings = { REDIS_URL: proxy.urlOf(REDIS_URL) };
    one = await TestService.start(dialect, settings);
    two = await one.startSecond(settings);
    id = await loadOneOfEach(one);
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await proxy.close();
  });

  /** Calls a tool in a session through one of the processes. */
  const callBy = async (service: TestService, session: Record<string, string>, name = 'socials_get') => {
    const params = { name, arguments: { platform: 'live_platform', profile_id: id } };
    return (await postMessage(service, { ...CALL_USAGE, params }, session)).body;
  };

  it('applies to a session across both processes', async () => {
    const { key } = await one.newKey();
    const session = await openSession(one, key);
    expect((await callBy(two, session)).result._meta.session).toEqual({ max_credits: 10, spent_credits: 10 });
    for (const service of [one, two]) {
      expect((await callBy(service, session)).result.content[0].text).toContain('credit limit');
    }
    expect((await one.request('/mcp', { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await callBy(two, session)).error.code).toBe(-32001);
  });

  it('keeps at most a hundred sessions of a key', async () => {
    const { key } = await one.newKey();
    const first = await openSession(one, key);
    const second = await openSession(two, key);
    await Promise.all(Array.from({ length: 99 }, () => openSession(one, key)));
    expect((await postMessage(two, CALL_USAGE, first)).status).toBe(404);
    expect((await postMessage(two, CALL_USAGE, second)).status).toBe(200);
  });

  it('remembers the sessions of a key for a day after the last use of any, and does not count expired ones', async () => {
    const { id: keyId, key } = await one.newKey();
    const list = `creator-data:mcp:${keyId}`;
    const redis = new Redis(REDIS_URL);
    try {
      const session = await openSession(one, key);
      await redis.pexpire(list, 60_000);
      // While the machine is busy, a look-up of the session may time out: 503.
      await until('it is used', async () => (await postMessage(two, CALL_USAGE, session)).status === 200);
      expect(await redis.pttl(list)).toBeGreaterThan(DAY_MS - 60_000);
      await redis.pexpire(list, 60_000);
      await callBy(two, session);
      expect(await redis.pttl(list)).toBeGreaterThan(DAY_MS - 60_000);

      const others = await Promise.all(Array.from({ length: 99 }, () => openSession(one, key)));
      // As if a day had gone by in which only the first was used.
      await redis.del(others.map((other) => `${list}:${other['mcp-session-id']}`));
      const last = await openSession(two, key);
      for (const open of [session, last]) expect((await postMessage(one, CALL_USAGE, open)).status).toBe(200);
      expect(await redis.llen(list)).toBe(2);
    } finally {
      redis.disconnect();
    }
  });

  it('answers 503 while Redis is down, serves sessions without a limit, and then continues from the same count', async () => {
    const { key } = await one.newKey();
    const session = await openSession(one, key);
    await proxy.cut();
    const { status, headers } = await postMessage(one, CALL_USAGE, session);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect((await postMessage(one, CALL_USAGE)).status).toBe(200);
    await proxy.restore();
    await until(
      'the session is served again',
      async () => (await postMessage(one, CALL_USAGE, session)).status === 200,
    );
    expect((await callBy(one, session)).result._meta.session.spent_credits).toBe(10);
  });
});
