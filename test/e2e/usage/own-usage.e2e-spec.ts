import { afterEach, describe, expect, it } from '@jest/globals';
import { describeService } from '../../support/service/test-service.js';

const NONE = '/platforms/live_platform/content/none';

/** Instant of a UTC time. */
const at = (text: string): number => Date.parse(`${text}Z`);

describeService('GET /usage', (service) => {
  afterEach(() => service().clock.reset());

  const aKey = async () => {
    const { key } = await service().newKey(100_000);
    return (path: string, headers: Record<string, string> = {}) =>
      service().get(path, { 'x-api-key': key, ...headers });
  };

  describe('200', () => {
    it('returns date, operation, requests, quota_units, credits of the calling key, by day and operation', async () => {
      const send = await aKey();
      service().clock.stopAt(at('2026-03-10T12:00:00'));
      await send(NONE);
      await send(NONE);
      await send('/platforms/live_platform/profiles?limit=7');
      service().clock.stopAt(at('2026-03-09T23:59:59.999'));
      await send(NONE);
      const { status, body } = await send('/usage?start_date=2026-03-01&end_date=2026-03-31');
      expect([status, body.payload]).toEqual([
        200,
        [
          { date: '2026-03-09', operation: 'content.get', requests: 1, quota_units: 1, credits: 0 },
          { date: '2026-03-10', operation: 'content.get', requests: 2, quota_units: 2, credits: 0 },
          { date: '2026-03-10', operation: 'profiles.list', requests: 1, quota_units: 7, credits: 0 },
        ],
      ]);
    });

    it('has received_at, totals of the three and, of a key without a plan, no allowance in meta', async () => {
      const send = await aKey();
      service().clock.stopAt(at('2026-03-12T00:00:00'));
      await send(NONE);
      await send('/platforms/live_platform/profiles/none/analysis');
      expect((await send('/usage')).body.meta).toEqual({
        received_at: '2026-03-12T00:00:00.000Z',
        totals: { requests: 2, quota_units: 101, credits: 0 },
        allowance: null,
      });
    });

    it('is empty for an unused key, with totals of 0', async () => {
      const { body } = await (await aKey())('/usage');
      expect([body.payload, body.meta.totals]).toEqual([[], { requests: 0, quota_units: 0, credits: 0 }]);
    });

    it('counts itself as a request, at 0 units and 0 credits', async () => {
      const send = await aKey();
      const { headers } = await send('/usage');
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['0', '0']);
      const { body } = await send('/usage');
      expect(body.payload).toEqual([
        { date: expect.any(String), operation: 'usage.get', requests: 1, quota_units: 0, credits: 0 },
      ]);
    });

    it('counts requests of every status with a valid key', async () => {
      const { key } = await service().newKey(3);
      const send = (path: string) => service().get(path, { 'x-api-key': key });
      service().clock.stopAt(at('2026-04-12T00:00:00'));
      const answers = [await send(NONE), await send('/games/search'), await send('/no/path'), await send(NONE)];
      expect(answers.map(({ status }) => status)).toEqual([404, 400, 404, 429]);
      service().clock.advance(60_000);
      expect((await send('/usage')).body.payload).toEqual([
        { date: '2026-04-12', operation: 'content.get', requests: 2, quota_units: 1, credits: 0 },
        { date: '2026-04-12', operation: 'games.search', requests: 1, quota_units: 0, credits: 0 },
        { date: '2026-04-12', operation: 'unknown', requests: 1, quota_units: 0, credits: 0 },
      ]);
    });

    it('excludes other keys', async () => {
      const [one, two] = [await aKey(), await aKey()];
      await one(NONE);
      expect((await two('/usage')).body.payload).toEqual([]);
    });

    it('default: this UTC month, from its first to its last millisecond', async () => {
      const send = await aKey();
      for (const moment of [
        '2026-01-31T23:59:59.999',
        '2026-02-01T00:00:00.000',
        '2026-02-28T23:59:59.999',
        '2026-03-01T00:00:00.000',
      ]) {
        service().clock.stopAt(at(moment));
        await send(NONE);
      }
      service().clock.stopAt(at('2026-02-14T12:00:00'));
      expect((await send('/usage')).body.payload.map(({ date }: { date: string }) => date)).toEqual([
        '2026-02-01',
        '2026-02-28',
      ]);
      service().clock.stopAt(at('2026-01-31T23:59:59.999'));
      expect((await send('/usage')).body.payload.map(({ date }: { date: string }) => date)).toEqual(['2026-01-31']);
    });

    it.each([
      ['start_date=2026-05-02&end_date=2026-05-03', ['2026-05-02', '2026-05-03']],
      ['start_date=2026-05-02&end_date=2026-05-02', ['2026-05-02']],
      ['start_date=2026-05-03', ['2026-05-03', '2026-05-04']],
      ['end_date=2026-05-02', ['2026-05-01', '2026-05-02']],
      ['start_date=2026-06-01&end_date=2026-06-30', []],
    ])('bounds are inclusive, and default to those of the month: %s', async (query, dates) => {
      const send = await aKey();
      for (const day of ['01', '02', '03', '04']) {
        service().clock.stopAt(at(`2026-05-${day}T12:00:00`));
        await send(NONE);
      }
      expect((await send(`/usage?${query}`)).body.payload.map(({ date }: { date: string }) => date)).toEqual(dates);
    });

    it('covers at most 366 days: 366 are served', async () => {
      const send = await aKey();
      for (const query of ['start_date=2024-01-01&end_date=2024-12-31', 'start_date=2025-03-01&end_date=2026-03-01']) {
        expect((await send(`/usage?${query}`)).status).toBe(200);
      }
    });

    it('answers 304 while nothing else was used', async () => {
      const send = await aKey();
      service().clock.stopAt(at('2026-07-01T00:00:00'));
      await send(NONE);
      service().clock.stopAt(at('2026-08-01T00:00:00'));
      const path = '/usage?start_date=2026-07-01&end_date=2026-07-31';
      const { headers } = await send(path);
      expect((await send(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    });

    it('includes the requests to every process', async () => {
      const { key } = await service().newKey();
      const other = await service().startSecond();
      try {
        await other.get(NONE, { 'x-api-key': key });
        await service().get(NONE, { 'x-api-key': key });
        expect((await other.get('/usage', { 'x-api-key': key })).body.meta.totals.requests).toBe(2);
      } finally {
        await other.stop();
      }
    });
  });

  describe('400', () => {
    it.each([
      ['start_date=2025-01-01&end_date=2026-01-02', 'start_date and end_date must span at most 366 days'],
      ['start_date=2024-01-01&end_date=2025-01-01', 'start_date and end_date must span at most 366 days'],
      ['start_date=2026-05-02&end_date=2026-05-01', 'start_date must not be later than end_date'],
      ['end_date=2026-12-31&start_date=2027-01-01', 'start_date must not be later than end_date'],
      ['start_date=2026-02-30', 'start_date must be a calendar date, YYYY-MM-DD'],
      ['end_date=today', 'end_date must be a calendar date, YYYY-MM-DD'],
      ['start_date=', 'start_date must be a calendar date, YYYY-MM-DD'],
      ['key=key_1', 'Unknown parameter: key'],
      ['limit=1', 'Unknown parameter: limit'],
      ['start_date=2026-05-01&start_date=2026-05-01', 'Parameter given more than once: start_date'],
    ])('rejects %s', async (query, message) => {
      const { status, body } = await (await aKey())(`/usage?${query}`);
      expect([status, body.error.message]).toEqual([400, message]);
    });

    it('rejects a start_date after this month without an end_date', async () => {
      const send = await aKey();
      service().clock.stopAt(at('2026-05-15T00:00:00'));
      expect((await send('/usage?start_date=2026-05-31')).status).toBe(200);
      expect((await send('/usage?start_date=2026-06-01')).status).toBe(400);
    });
  });
});
