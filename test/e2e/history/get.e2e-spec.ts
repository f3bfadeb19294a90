import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyEntity } from '../../../src/features/auth/api-key.entity.js';
import { askHistory, historyLine, observed } from '../../support/history.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const NOW = Date.parse('2026-03-15T12:00:00.000Z');

describeService('GET /platforms/{platform}/profiles/{profile_id}/history', (service) => {
  let id: string;
  const ask = (query = '', profileId = id, key?: string) => askHistory(service(), profileId, query, key);
  const datesOf = async (query: string, profileId = id) =>
    (await ask(query, profileId)).body.payload.map(({ date }: { date: string }) => date);

  beforeAll(async () => {
    service().clock.stopAt(NOW);
    id = uniqueId();
    await service().load('profiles', aProfile({ id, updated_at: null }));
    await service().load(
      'history',
      historyLine(id, '2025-12-15', 1),
      historyLine(id, '2025-12-16', 2),
      historyLine(id, '2026-03-15', 4, { views_estimated: 40 }),
      historyLine(id, '2026-03-14', null, { views_estimated: 30 }),
      historyLine(id, '2026-03-16', 5),
    );
  });

  it('payload: date, followers, views_estimated, oldest first; meta: received_at, platform, profile_id, first_observed_at', async () => {
    const { status, body, headers } = await ask('?start_date=2026-01-01&end_date=2026-12-31');
    expect([status, body]).toEqual([
      200,
      {
        payload: [
          { date: '2026-03-14', followers: null, views_estimated: 30 },
          { date: '2026-03-15', followers: 4, views_estimated: 40 },
          { date: '2026-03-16', followers: 5, views_estimated: null },
        ],
        meta: {
          received_at: '2026-03-15T12:00:00.000Z',
          platform: 'live_platform',
          profile_id: id,
          first_observed_at: '2025-12-15',
        },
      },
    ]);
    expect(Object.keys(body.payload[0])).toEqual(['date', 'followers', 'views_estimated']);
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['10', '10']);
  });

  it('the default range is today and the 89 days before', async () => {
    expect(await datesOf('')).toEqual(['2025-12-16', '2026-03-14', '2026-03-15']);
    expect(await datesOf('?end_date=2026-03-14')).toEqual(['2025-12-15', '2025-12-16', '2026-03-14']);
    expect(await datesOf('?start_date=2026-03-14')).toEqual(['2026-03-14', '2026-03-15']);
    expect(await datesOf('?end_date=0000-01-02')).toEqual([]);
  });

  it('both bounds are inclusive', async () => {
    expect(await datesOf('?start_date=2025-12-16&end_date=2026-03-14')).toEqual(['2025-12-16', '2026-03-14']);
    expect(await datesOf('?start_date=2026-03-14&end_date=2026-03-14')).toEqual(['2026-03-14']);
  });

  it('unknown profile: 404, though a history was imported: 10 units, no credits', async () => {
    const unknown = uniqueId();
    await service().load('history', historyLine(unknown, '2026-03-01', 1));
    const { status, body, headers } = await ask('', unknown);
    expect([status, body.error.message]).toEqual([404, 'Profile not found']);
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['10', '0']);
    const { status: other } = await service().get(`/platforms/video_platform/profiles/${id}/history`);
    expect(other).toBe(404);
  });

  it('nothing observed: 200, `[]`, 10 units and no credits', async () => {
    const none = uniqueId();
    await service().load('profiles', observed(none, null, 7), observed(`${none}x`, '2026-03-01T00:00:00.000Z', null));
    for (const profile of [none, `${none}x`]) {
      const { status, body, headers } = await ask('', profile);
      expect([status, body.payload, body.meta.first_observed_at]).toEqual([200, [], null]);
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['10', '0']);
    }
    const outside = await ask('?start_date=2020-01-01&end_date=2020-01-31');
    expect([outside.body.payload, outside.body.meta.first_observed_at]).toEqual([[], '2025-12-15']);
    expect(outside.headers['x-credits']).toBe('0');
  });

  it('an unchanged history is a 304, which costs nothing', async () => {
    const { headers } = await ask();
    const again = await service().get(`/platforms/live_platform/profiles/${id}/history`, {
      'if-none-match': String(headers.etag),
    });
    expect([again.status, again.headers['x-quota-units'], again.headers['x-credits']]).toEqual([304, '0', '0']);
  });

  it('IDs are case-sensitive and compared bytewise', async () => {
    const base = uniqueId();
    const ids = [`${base}a`, `${base}A`, `${base}a `];
    await service().load('profiles', ...ids.map((each) => aProfile({ id: each, updated_at: null })));
    await service().load('history', ...ids.map((each, nth) => historyLine(each, '2026-03-01', nth)));
    for (const [nth, each] of ids.entries()) {
      expect((await ask('', each)).body.payload).toEqual([
        { date: '2026-03-01', followers: nth, views_estimated: null },
      ]);
    }
  });

  describe('interval', () => {
    it('week: weeks begin on Monday, over the end of a year; the last observation in each', async () => {
      const profile = uniqueId();
      await service().load('profiles', aProfile({ id: profile, updated_at: null }));
      // 28 December 2025 is a Sunday.
      const days = ['2025-12-28', '2025-12-29', '2025-12-31', '2026-01-04', '2026-01-05', '2026-01-19'];
      await service().load('history', ...days.map((date, nth) => historyLine(profile, date, nth)));
      expect(await datesOf('?interval=week', profile)).toEqual([
        '2025-12-28',
        '2026-01-04',
        '2026-01-05',
        '2026-01-19',
      ]);
      // The range may cut a week.
      expect(await datesOf('?interval=week&end_date=2026-01-03', profile)).toEqual(['2025-12-28', '2025-12-31']);
    });

    it('month: with leap days and over the end of a year', async () => {
      const profile = uniqueId();
      await service().load('profiles', aProfile({ id: profile, updated_at: null }));
      const days = ['2023-12-31', '2024-02-01', '2024-02-29', '2024-03-01', '2024-12-31', '2025-01-01', '2026-01-31'];
      await service().load('history', ...days.map((date, nth) => historyLine(profile, date, nth)));
      const range = 'start_date=2023-01-01&end_date=2026-12-31';
      expect(await datesOf(`?interval=month&${range}`, profile)).toEqual(days.filter((date) => date !== '2024-02-01'));
    });

    it('counts the points, not the days, as items returned', async () => {
      const { body, headers } = await ask('?interval=month');
      expect(body.payload).toEqual([
        { date: '2025-12-16', followers: 2, views_estimated: null },
        { date: '2026-03-15', followers: 4, views_estimated: 40 },
      ]);
      expect(headers['x-credits']).toBe('10');
    });
  });

  describe('at most 366 days, weeks or months of the range', () => {
    it.each([
      ['day', '2024-01-01', '2024-12-31', '2025-01-01'],
      // 366 weeks from a Monday.
      ['week', '2020-01-06', '2027-01-10', '2027-01-11'],
      ['month', '2000-01-15', '2030-06-01', '2030-07-01'],
    ])('%s: %s to %s is answered, to %s is a 400', async (interval, from, last, beyond) => {
      const range = (to: string) => `?interval=${interval}&start_date=${from}&end_date=${to}`;
      expect((await ask(range(last))).status).toBe(200);
      const { status, body, headers } = await ask(range(beyond));
      expect([status, body.error.code, headers['x-quota-units']]).toEqual([400, 'conflicting_parameters', '0']);
      expect(body.error.message).toBe(`start_date and end_date must span at most 366 ${interval}s`);
    });

    it('reads all days of the longest range', async () => {
      const profile = uniqueId();
      await service().load('profiles', aProfile({ id: profile, updated_at: null }));
      const first = Date.UTC(2000, 0, 1);
      const lines = Array.from({ length: 11_000 }, (_, nth) =>
        historyLine(profile, new Date(first + nth * 86_400_000).toISOString().slice(0, 10), nth),
      );
      await service().load('history', ...lines);
      const { body } = await ask('?interval=month&start_date=2000-01-01&end_date=2030-06-30', profile);
      expect(body.payload).toHaveLength(362);
      expect(body.payload.at(-1)).toEqual({ date: '2030-02-11', followers: 10_999, views_estimated: null });
    });
  });

  it.each([
    ['interval=year', 'interval must be one of day, week, month', 'invalid_parameter'],
    ['interval=', 'interval must be one of day, week, month', 'invalid_parameter'],
    ['start_date=2026-02-29', 'start_date must be a calendar date, YYYY-MM-DD', 'invalid_parameter'],
    ['end_date=2026-1-1', 'end_date must be a calendar date, YYYY-MM-DD', 'invalid_parameter'],
    [
      'start_date=2026-03-02&end_date=2026-03-01',
      'start_date must not be later than end_date',
      'conflicting_parameters',
    ],
    ['start_date=2026-03-16', 'start_date must not be later than end_date', 'conflicting_parameters'],
    ['limit=5', 'Unknown parameter: limit', 'unknown_parameter'],
    ['interval=day&interval=week', 'Parameter given more than once: interval', 'repeated_parameter'],
  ])('%s: 400 %s', async (query, message, code) => {
    const { status, body } = await ask(`?${query}`);
    expect([status, body.error.message, body.error.code]).toEqual([400, message, code]);
  });

  it("a key from which the profile's statistics are hidden does not see them here", async () => {
    const { id: keyId, key } = await service().newKey(1_000_000);
    // No command hides statistics today; a policy hides a member by its name.
    await service().database.dataSource.getRepository(ApiKeyEntity).update(keyId, { policy: 'followers' });
    const profile = (await service().get(`/platforms/live_platform/profiles/${id}`, { 'x-api-key': key })).body.payload;
    expect(profile.statistics).toEqual({ followers: null, views_estimated: 1000 });
    const { body } = await ask('?start_date=2026-03-15', id, key);
    expect(body.payload).toEqual([{ date: '2026-03-15', followers: null, views_estimated: 40 }]);
  });
});
