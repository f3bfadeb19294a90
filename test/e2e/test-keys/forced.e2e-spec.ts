import { beforeAll, describe, expect, it } from '@jest/globals';
import { FORCED_ANSWERS } from '../../../src/http/forced-answer.js';
import { computeCost } from '../../../src/receipts/prices.js';
import type { OperationName } from '../../../src/model/operation.js';
import type { Answer } from '../../support/http/request.js';
import { Description, sendOperation, type Sendable } from '../../support/openapi/operations.js';
import { sampleRequests } from '../../support/openapi/sample-requests.js';
import { McpClient } from '../../support/service/mcp-client.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords } from '../../support/service/usage.js';

const PROFILE = '/platforms/live_platform/profiles/10001';

/** First of the 404s of an endpoint. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  'profiles.get': 'Profile not found',
  'content.get': 'Content not found',
  'content.by_profile': 'Profile not found',
  'content.by_game': 'Game not found',
  'games.get': 'Game not found',
  'analysis.get': 'Profile not found',
  'audience.get': 'Profile not found',
  'socials.get': 'Profile not found',
  'history.get': 'Profile not found',
  'email.get': 'Profile not found',
};

/** Error of each forced answer: status, code and message. */
const ERRORS = [
  ['402', 402, 'monthly_allowance_used_up', 'Monthly allowance used up'],
  ['429', 429, 'rate_limit_exceeded', 'Rate limit exceeded'],
  ['500', 500, 'internal_error', 'Internal server error'],
  ['503', 503, 'service_unavailable', 'Service unavailable'],
] as const;

/** `Retry-After` of each forced error. */
const RETRY_AFTER = { '402': /^undefined$/, '429': /^([1-9]|[1-5]\d|60)$/, '500': /^undefined$/, '503': /^5$/ };

describeService('an answer that a test key forces', (service) => {
  let description: Description;
  let testKey: string;
  beforeAll(async () => {
    description = await Description.of(service());
    testKey = (await service().newTestKey(1_000_000)).key;
  });

  const force = (answer: string, request: Sendable, headers: Record<string, string> = {}): Promise<Answer> =>
    sendOperation(service(), request, { 'x-api-key': testKey, 'x-test-answer': answer, ...headers });
  const forceProfile = (answer: string, headers?: Record<string, string>) =>
    force(answer, { method: 'GET', path: PROFILE }, headers);

  function expectError({ status, headers, body }: Answer, expected: number, code: string, message: string): void {
    expect([status, body.error.status, body.error.code, body.error.message]).toEqual([
      expected,
      expected,
      code,
      message,
    ]);
    expect(description.problemsOfError(body)).toEqual([]);
    expect(body.meta.request_id).toBe(headers['x-request-id']);
    expect(headers).toMatchObject({ 'x-test-mode': 'true', 'x-ratelimit-minute-limit': '1000000', 'x-credits': '0' });
  }

  describe.each(sampleRequests().map((request) => [request.operationId, request] as const))('%s', (id, request) => {
    it.each(ERRORS)('%s: the error, free, with its headers', async (name, status, code, message) => {
      const answer = await force(name, request);
      expectError(answer, status, code, message);
      expect(answer.headers['x-quota-units']).toBe('0');
      const { 'retry-after': wait, 'x-ratelimit-minute-remaining': remaining } = answer.headers;
      expect(String(wait)).toMatch(RETRY_AFTER[name]);
      expect(Number(remaining) > 0).toBe(status !== 429);
    });

    it('404: the message of the endpoint, at the price of the request', async () => {
      const [data, answer] = [await force('nulls', request), await force('404', request)];
      const message = NOT_FOUND[id];
      const code = message?.toLowerCase().replaceAll(' ', '_') ?? 'path_not_found';
      expectError(answer, 404, code, message ?? 'Not found');
      expect(answer.headers['x-quota-units']).toBe(data.headers['x-quota-units']);
    });

    it('nulls: the same data, in which every member that may be null is null', async () => {
      const plain = await sendOperation(service(), request, { 'x-api-key': testKey });
      const answer = await force('nulls', request);
      expect(answer.status).toBe(200);
      expect(description.problemsOfSuccess(description.operation(id), answer.body)).toEqual([]);
      expect([answer.headers['x-quota-units'], answer.headers['x-credits']]).toEqual([
        plain.headers['x-quota-units'],
        plain.headers['x-credits'],
      ]);
      // The usage of the key has grown in between.
      expect(id === 'usage.get' || differsOnlyByNulls(plain.body.payload, answer.body.payload)).toBe(true);
      // Null would break the description at each place that is not null.
      const allowed = placesIn(answer.body.payload).filter((place) => {
        const changed = structuredClone(answer.body);
        setNull(changed.payload, place);
        return description.problemsOfSuccess(description.operation(id), changed).length === 0;
      });
      expect(allowed).toEqual([]);
    });
  });

  it('402: tells an example of a used-up allowance, and when the month really ends', async () => {
    const { headers } = await forceProfile('402');
    const now = new Date();
    expect(headers).toMatchObject({
      'x-quota-units-limit': '1000',
      'x-quota-units-remaining': '0',
      'x-credits-limit': '1000',
      'x-credits-remaining': '0',
      'x-allowance-reset': String(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000),
    });
  });

  it('402: tells the allowance of the key if it has one', async () => {
    const { key, id } = await service().newTestKey(100);
    await service().keys.setAllowance(id, { month_units: 7, month_credits: null });
    const { headers } = await forceProfile('402', { 'x-api-key': key });
    expect(headers).toMatchObject({ 'x-quota-units-limit': '7', 'x-quota-units-remaining': '7' });
    expect(headers).not.toHaveProperty('x-credits-limit');
  });

  it('404: HEAD has no body and costs the same', async () => {
    const answer = await force('404', { method: 'HEAD', path: PROFILE });
    expect([answer.status, answer.text, answer.headers['x-quota-units']]).toEqual([404, '', '1']);
  });

  it('takes the place of a 404 and of a 304, but not of a 400', async () => {
    expect((await force('402', { method: 'GET', path: '/platforms/live_platform/profiles/unknown' })).status).toBe(402);
    expect((await forceProfile('503', { 'if-none-match': '*' })).status).toBe(503);
    expect((await force('404', { method: 'GET', path: `${PROFILE}?x=1` })).body.error.code).toBe('unknown_parameter');
    expect((await force('500', { method: 'GET', path: '/no/such/path' })).status).toBe(500);
  });

  it('slow: the same data after 3 s, without a slot of the requests in flight', async () => {
    const startedAt = performance.now();
    const answer = await forceProfile('slow');
    expect([answer.status, answer.body.payload.display_name]).toEqual([200, 'Lumen Vale']);
    expect(performance.now() - startedAt).toBeGreaterThan(2990);
  });

  it('is recorded as the real one would be', async () => {
    const { key, id } = await service().newTestKey(100);
    const analysis = `${PROFILE}/analysis`;
    for (const answer of ['402', '404', '429', '500', '503', 'nulls']) {
      await force(answer, { method: 'GET', path: analysis }, { 'x-api-key': key });
    }
    const records = await exportedRecords(service(), '--key', id);
    const { quotaUnits: units, credits } = computeCost('analysis.get' satisfies OperationName, 200, 1, 1);
    expect(
      records.map(({ status, quota_units, credits: paid, items_returned }) => [
        status,
        quota_units,
        paid,
        items_returned,
      ]),
    ).toEqual([
      [402, 0, 0, 0],
      [404, units, 0, 0],
      [429, 0, 0, 0],
      [500, 0, 0, 0],
      [503, 0, 0, 0],
      [200, units, credits, 1],
    ]);
  });

  it.each(['', '418', 'SLOW', '404, 500', 'toString'])(
    '400: %j is not an answer; the error lists them',
    async (given) => {
      const { status, headers, body } = await forceProfile(given);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 'invalid_test_answer',
        message: 'X-Test-Answer must be one of 402, 404, 429, 500, 503, slow, nulls',
        allowed: [...FORCED_ANSWERS],
      });
      expect(headers['x-quota-units']).toBe('0');
    },
  );

  it('400: a live key cannot force an answer, whatever it is', async () => {
    for (const given of ['404', 'nonsense']) {
      const { status, headers, body } = await forceProfile(given, { 'x-api-key': service().key });
      expect([status, body.error.code, body.error.message]).toEqual([
        400,
        'test_key_required',
        'X-Test-Answer needs a test key',
      ]);
      expect(headers).not.toHaveProperty('x-test-mode');
    }
  });

  it('is that of a tool call of /mcp, too', async () => {
    const call = async (key: string, answer: string) => {
      const client = await McpClient.connect(service().origin, key, { 'x-test-answer': answer });
      const result = await client.call('profiles_get', { platform: 'live_platform', profile_id: '10001' });
      await client.close();
      return result.structuredContent;
    };
    expect((await call(testKey, '404')).error).toMatchObject({ code: 'profile_not_found' });
    expect((await call(testKey, 'nulls')).payload).toMatchObject({ id: '10001', display_name: null });
    expect((await call(service().key, '404')).error).toMatchObject({ code: 'test_key_required' });
  });
});

type Place = readonly string[];

/** Lists the places of all members and items that are not null, at any depth. */
function placesIn(value: unknown, place: Place = []): Place[] {
  if (value === null) return [];
  const inner = typeof value === 'object' ? Object.entries(value as object) : [];
  const own = place.length === 0 ? [] : [place];
  return [...own, ...inner.flatMap(([name, member]) => placesIn(member, [...place, name]))];
}

function setNull(value: unknown, [name = '', ...rest]: Place): void {
  const members = value as Record<string, unknown>;
  if (rest.length === 0) members[name] = null;
  else setNull(members[name], rest);
}

/** Reports whether `other` has the members of `value` in their order, and their values or null. */
function differsOnlyByNulls(value: unknown, other: unknown): boolean {
  if (other === null || value === other) return true;
  if (typeof value !== 'object' || typeof other !== 'object' || value === null) return false;
  const [members, others] = [Object.entries(value), Object.entries(other)];
  return (
    members.length === others.length &&
    members.every(([name, inner], at) => name === others[at]?.[0] && differsOnlyByNulls(inner, others[at]?.[1]))
  );
}
