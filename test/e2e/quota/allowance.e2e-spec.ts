import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { exportedRecords, recordOf } from '../../support/service/usage.js';

/** Plan of a key; a missing member is no limit. */
interface Plan {
  readonly units?: number | null;
  readonly credits?: number | null;
}

/** Changes the plan of a key. */
const setPlan = (service: TestService, id: string, { units = null, credits = null }: Plan) =>
  service.keys.setAllowance(id, { month_units: units, month_credits: credits });

/** Creates a key with a plan. */
async function aKey(service: TestService, plan: Plan, rateLimit = 100_000) {
  const { id, key } = await service.newKey(rateLimit);
  await setPlan(service, id, plan);
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.get(path, { 'x-api-key': key, ...headers });
  return { id, key, get };
}

const NONE = '/platforms/live_platform/profiles/none';
const list = (limit: number) => `/platforms/live_platform/profiles?limit=${limit}`;

/** Instant of a UTC time. */
const at = (text: string): number => Date.parse(`${text}Z`);

describeService('the month allowance', (service) => {
  afterEach(() => service().clock.reset());

  const profile = aProfile();
  const known = `/platforms/live_platform/profiles/${profile.id}`;
  beforeAll(async () => {
    await service().load('profiles', profile);
    await service().load('socials', { platform_id: 'live_platform', profile_id: profile.id, links: [aLink()] });
  });

  describe('402', () => {
    it('answers a request that no longer fits: without data, Retry-After and cost', async () => {
      const { get } = await aKey(service(), { units: 1 });
      expect((await get(known)).status).toBe(200);
      const { status, headers, body } = await get(known);
      expect([status, body.error.message, body.error.code]).toEqual([
        402,
        'Monthly allowance used up',
        'monthly_allowance_used_up',
      ]);
      expect(body.payload).toBeUndefined();
      expect(headers).toMatchObject({
        'x-quota-units': '0',
        'x-credits': '0',
        'x-quota-units-limit': '1',
        'x-quota-units-remaining': '0',
      });
      expect(headers['retry-after']).toBeUndefined();
      expect(headers.etag).toBeUndefined();
    });

    it('is recorded as 402 without cost and items', async () => {
      const { get } = await aKey(service(), { units: 0 });
      const { headers } = await get(known);
      expect(await recordOf(service(), headers['x-request-id'])).toMatchObject({
        operation: 'profiles.get',
        status: 402,
        quota_units: 0,
        credits: 0,
        items_returned: 0,
      });
    });

    it('answers a 404 that no longer fits, because it costs its units', async () => {
      const { get } = await aKey(service(), { units: 1 });
      expect([(await get(NONE)).status, (await get(NONE)).status]).toEqual([404, 402]);
    });

    it('leaves smaller requests behind it answered', async () => {
      const { get } = await aKey(service(), { units: 10 });
      const answers = [await get(list(8)), await get(list(3)), await get(list(2)), await get(known)];
      expect(answers.map(({ status }) => status)).toEqual([200, 402, 200, 402]);
    });

    it('holds credits, too, and both together', async () => {
      const socials = `${known}/socials`;
      const credits = await aKey(service(), { credits: 10 });
      expect([(await credits.get(socials)).status, (await credits.get(socials)).status]).toEqual([200, 402]);
      // No credits are needed, and none are exceeded.
      expect((await credits.get(known)).status).toBe(200);
      const both = await aKey(service(), { units: 100, credits: 15 });
      expect([(await both.get(socials)).status, (await both.get(socials)).status]).toEqual([200, 402]);
      expect((await both.get(known)).headers).toMatchObject({
        'x-quota-units-remaining': '89',
        'x-credits-remaining': '5',
      });
    });

    it('never lets concurrent requests exceed it, and refuses none that fits', async () => {
      const { id, get } = await aKey(service(), { units: 25 });
      const answers = await Promise.all(Array.from({ length: 60 }, () => get(NONE)));
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(25);
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(35);
      const left = answers
        .filter(({ status }) => status === 404)
        .map(({ headers }) => headers['x-quota-units-remaining']);
      expect(left.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index));
      const records = await exportedRecords(service(), '--key', id);
      expect(records.reduce((sum, { quota_units }) => sum + quota_units, 0)).toBe(25);
    });
  });

  describe('what costs nothing is answered on', () => {
    it('304, 400, 405, GET /usage and HEAD as priced', async () => {
      const { key, get } = await aKey(service(), { units: 1 });
      const { headers } = await get(known);
      const etag = String(headers.etag);
      const answers = [
        await get(known, { 'If-None-Match': etag }),
        await get(list(0)),
        await get('/usage'),
        await get('/no/path'),
        await service().request(known, { method: 'HEAD', headers: { 'x-api-key': key } }),
        await get(known, { 'If-None-Match': '*' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([304, 400, 200, 404, 402, 402]);
    });
  });

  describe('headers', () => {
    it('are on every answer to a key with an allowance: remaining is after the request', async () => {
      service().clock.stopAt(at('2026-12-31T23:59:59.999'));
      const { get } = await aKey(service(), { units: 20, credits: 5 }, 6);
      const first = await get(known);
      const etag = String(first.headers.etag);
      const answers = [
        first,
        await get(known, { 'If-None-Match': etag }),
        await get(NONE),
        await get('/games/search'),
        await get('/usage'),
        await get(list(10)),
        await get(known),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 400, 200, 200, 429]);
      expect(answers.map(({ headers }) => headers['x-quota-units-remaining'])).toEqual([
        '19',
        '19',
        '18',
        '18',
        '18',
        '8',
        '8',
      ]);
      for (const { headers } of answers) {
        expect(headers).toMatchObject({
          'x-quota-units-limit': '20',
          'x-credits-limit': '5',
          'x-credits-remaining': '5',
          'x-allowance-reset': String(at('2027-01-01T00:00:00') / 1000),
        });
      }
    });

    it('name only what is limited, and are absent without an allowance', async () => {
      const names = (headers: object) => Object.keys(headers).filter((name) => /-(limit|remaining|reset)$/.test(name));
      const minute = ['x-ratelimit-minute-limit', 'x-ratelimit-minute-remaining', 'x-ratelimit-minute-reset'];
      const credits = await aKey(service(), { credits: 5 });
      expect(names((await credits.get(known)).headers)).toEqual([
        ...minute,
        'x-credits-limit',
        'x-credits-remaining',
        'x-allowance-reset',
      ]);
      expect(names((await service().get(known)).headers)).toEqual(minute);
    });
  });

  describe('a plan', () => {
    it('begins anew with each UTC month', async () => {
      service().clock.stopAt(at('2026-05-31T23:59:59.999'));
      const { get } = await aKey(service(), { units: 1 });
      expect([(await get(known)).status, (await get(known)).status]).toEqual([200, 402]);
      service().clock.advance(1);
      const { status, headers } = await get(known);
      expect([status, headers['x-allowance-reset']]).toEqual([200, String(at('2026-07-01T00:00:00') / 1000)]);
      expect((await get(known)).status).toBe(402);
    });

    it('counts what the key used before it, and is in force from the next request', async () => {
      const { id, get } = await aKey(service(), {});
      await get(list(7));
      await setPlan(service(), id, { units: 10 });
      expect((await get(known)).headers['x-quota-units-remaining']).toBe('2');
      await setPlan(service(), id, { units: 5 });
      const { status, headers } = await get(known);
      expect([status, headers['x-quota-units-limit'], headers['x-quota-units-remaining']]).toEqual([402, '5', '0']);
      await setPlan(service(), id, {});
      expect((await get(list(50))).status).toBe(200);
      await setPlan(service(), id, { units: 60 });
      expect((await get(known)).headers['x-quota-units-remaining']).toBe('1');
    });

    it('is told by GET /usage', async () => {
      service().clock.stopAt(at('2026-08-15T12:00:00'));
      const { id, get } = await aKey(service(), { units: 1000 });
      await get(list(7));
      expect((await get('/usage?start_date=2026-01-01&end_date=2026-01-31')).body.meta.allowance).toEqual({
        quota_units: { limit: 1000, used: 7 },
        credits: null,
        resets_at: '2026-09-01T00:00:00.000Z',
      });
      await setPlan(service(), id, {});
      expect((await get('/usage')).body.meta.allowance).toBeNull();
    });
  });

  describe('in two processes', () => {
    it('is held exactly, with requests of mixed cost', async () => {
      const second = await service().startSecond();
      try {
        const { id, key } = await aKey(service(), { units: 300 });
        const costs = [1, 7, 25, 50];
        const answers = await Promise.all(
          Array.from({ length: 160 }, async (_, index) => {
            const cost = costs[index % costs.length] ?? 1;
            const process = index % 3 === 0 ? second : service();
            const { status, headers } = await process.get(list(cost), { 'x-api-key': key });
            return { cost, status, remaining: Number(headers['x-quota-units-remaining']) };
          }),
        );
        const refused = answers.filter(({ status }) => status === 402);
        expect(answers.filter(({ status }) => status !== 402 && status !== 200)).toEqual([]);
        expect(refused.length).toBeGreaterThan(0);
        const records = await exportedRecords(service(), '--key', id);
        const used = records.reduce((sum, { quota_units }) => sum + quota_units, 0);
        expect(used).toBeLessThanOrEqual(300);
        expect(used + Math.min(...refused.map(({ cost }) => cost))).toBeGreaterThan(300);
        // A refused request did not fit when it was refused.
        expect(refused.filter(({ cost, remaining }) => cost <= remaining)).toEqual([]);
      } finally {
        await second.stop();
      }
    });
  });
});

/** A link to another platform. */
const aLink = () => ({ platform_id: 'video_platform', id: uniqueId(), name: null, followers: null });
