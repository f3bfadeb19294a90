import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Profile } from '../../../src/features/profiles/profile.js';
import { aProfile } from '../../support/records/builders.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const PATH = '/platforms/photo_platform/profiles';
const DATES = ['updated_at', 'last_active_at'] as const;

/** Creates a profile with one of its dates; the other date is far away, so that a bound on the wrong one shows. */
const dated = (sort: (typeof DATES)[number], at: string | null) =>
  aProfile({
    platform_id: 'photo_platform',
    updated_at: '1999-01-01T00:00:00.000Z',
    last_active_at: '1999-01-01T00:00:00.000Z',
    [sort]: at,
  });

describeService('date bounds of GET /platforms/{platform}/profiles', (service) => {
  beforeEach(() => removeAll(service()));

  describe.each(DATES)('200, sorted by %s', (sort) => {
    const instants = [
      '2026-02-27T23:59:59.999Z',
      '2026-02-28T00:00:00.000Z',
      '2026-02-28T12:00:00.000Z',
      '2026-03-01T23:59:59.999Z',
      '2026-03-02T00:00:00.000Z',
      null,
    ];
    const load = () => service().load('profiles', ...instants.map((at) => dated(sort, at)));
    const found = async (bounds: Record<string, string>, order = 'asc') =>
      ((await service().walk(PATH, { sort, order, limit: '2', ...bounds })) as Profile[]).map(
        (profile) => profile[sort],
      );

    it('both bounds are inclusive whole UTC days, and exclude nulls', async () => {
      await load();
      expect(await found({ start_date: '2026-02-28', end_date: '2026-03-01' })).toEqual(instants.slice(1, 4));
      expect(await found({ start_date: '2026-02-28', end_date: '2026-03-01' }, 'desc')).toEqual(
        instants.slice(1, 4).toReversed(),
      );
    });

    it('start_date alone bounds below, and excludes nulls', async () => {
      await load();
      expect(await found({ start_date: '2026-02-28' })).toEqual(instants.slice(1, 5));
    });

    it('end_date alone bounds above, and excludes nulls in either order', async () => {
      await load();
      expect(await found({ end_date: '2026-03-01' })).toEqual(instants.slice(0, 4));
      expect(await found({ end_date: '2026-03-01' }, 'desc')).toEqual(instants.slice(0, 4).toReversed());
    });

    it('a single day is a valid range', async () => {
      await load();
      expect(await found({ start_date: '2026-02-28', end_date: '2026-02-28' })).toEqual(instants.slice(1, 3));
      expect(await found({ start_date: '2026-03-03', end_date: '2026-03-03' })).toEqual([]);
    });

    it('the earliest and the latest valid date exclude only nulls', async () => {
      const ends = ['0000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'];
      await service().load('profiles', ...[...ends, null].map((at) => dated(sort, at)));
      expect(await found({ start_date: '0000-01-01', end_date: '9999-12-31' })).toEqual(ends);
      expect(await found({ start_date: '1969-12-31', end_date: '1969-12-31' })).toEqual([ends[1]]);
    });
  });

  describe('400', () => {
    it.each(['start_date=2026-01-01', 'end_date=2026-01-01', 'start_date=2026-01-01&end_date=2026-01-02'])(
      'sort=followers has no date to bound: %s',
      async (bounds) => {
        const { status, body } = await service().get(`${PATH}?sort=followers&${bounds}`);
        expect([status, body.error.message]).toEqual([
          400,
          'start_date and end_date need a sort by date, not by followers',
        ]);
      },
    );

    it('start_date is later than end_date', async () => {
      const { status, body } = await service().get(`${PATH}?start_date=2026-01-02&end_date=2026-01-01`);
      expect([status, body.error.message]).toEqual([400, 'start_date must not be later than end_date']);
    });

    it.each([
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-1-1',
      '20260101',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '+002026-01-01',
      '-2026-01-01',
      '２０２６-01-01',
      'today',
      '',
    ])('an invalid date: %j', async (date) => {
      for (const name of ['start_date', 'end_date']) {
        const { status, body } = await service().get(`${PATH}?${name}=${encodeURIComponent(date)}`);
        expect([status, body.error.message]).toEqual([400, `${name} must be a calendar date, YYYY-MM-DD`]);
      }
    });
  });
});
