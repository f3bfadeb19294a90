import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Profile } from '../../../src/features/profiles/profile.js';
import { aProfile } from '../../support/records/builders.js';
import { idOf, IDS_IN_BYTE_ORDER, sortedAsDocumented, removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const PATH = '/platforms/live_platform/profiles';
const ORDERS = ['asc', 'desc'] as const;
const SORTS = ['updated_at', 'last_active_at', 'followers'] as const;
type Sort = (typeof SORTS)[number];

const valueOf = (sort: Sort) => (profile: Profile) =>
  sort === 'followers' ? profile.statistics.followers : profile[sort];

/** Creates a profile with three distinct sort values, so that sorting by the wrong one shows. */
const sortable = (id: string, step: number | null) =>
  aProfile({
    id,
    updated_at: step === null ? null : new Date(1_000 * step).toISOString(),
    last_active_at: step === null ? null : new Date(-1_000 * step).toISOString(),
    statistics: { followers: step === null ? null : (step * 7) % 5, views_estimated: step },
  });

describeService('GET /platforms/{platform}/profiles', (service) => {
  beforeEach(() => removeAll(service()));

  describe('200', () => {
    it('`payload`: array of Profile; `paging`: `limit`, `next_cursor`; `meta`: `received_at`, and nothing else', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const before = service().clock.now();
      const { status, body } = await service().get(PATH);
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [profile],
        paging: { limit: 10, next_cursor: null },
        meta: { received_at: expect.any(String) },
      });
      expect(Object.keys(body)).toEqual(['payload', 'paging', 'meta']);
      const receivedAt = Date.parse(body.meta.received_at);
      expect(new Date(receivedAt).toISOString()).toBe(body.meta.received_at);
      expect(receivedAt).toBeGreaterThanOrEqual(before);
      expect(receivedAt).toBeLessThanOrEqual(service().clock.now());
    });

    it('an empty `payload` with a null cursor means no results', async () => {
      const { status, body } = await service().get(PATH);
      expect(status).toBe(200);
      expect(body.payload).toEqual([]);
      expect(body.paging).toEqual({ limit: 10, next_cursor: null });
    });

    it('lists only the profiles of the platform in the path', async () => {
      const [here, there] = [aProfile(), aProfile({ platform_id: 'video_platform' })];
      await service().load('profiles', here, there);
      expect((await service().get(PATH)).body.payload).toEqual([here]);
      expect((await service().get('/platforms/video_platform/profiles')).body.payload).toEqual([there]);
      expect((await service().get('/platforms/microblog_platform/profiles')).body.payload).toEqual([]);
    });

    it('`limit` is an integer, 1 to 50, default 10', async () => {
      await service().load('profiles', ...Array.from({ length: 51 }, () => aProfile()));
      const sizes = await Promise.all(
        ['', '?limit=1', '?limit=50'].map(async (query) => {
          const { body } = await service().get(PATH + query);
          expect(body.paging.next_cursor).toMatch(/^[\w-]+$/);
          return [body.payload.length, body.paging.limit];
        }),
      );
      expect(sizes).toEqual([
        [10, 10],
        [1, 1],
        [50, 50],
      ]);
    });

    it('sorts by `updated_at`, descending, by default', async () => {
      const profiles = [3, 1, 2].map((step) => sortable(`${step}`, step));
      await service().load('profiles', ...profiles);
      expect((await service().get(PATH)).body.payload.map(idOf)).toEqual(['3', '2', '1']);
      expect((await service().get(`${PATH}?sort=last_active_at`)).body.payload.map(idOf)).toEqual(['1', '2', '3']);
      expect((await service().get(`${PATH}?order=asc`)).body.payload.map(idOf)).toEqual(['1', '2', '3']);
    });

    describe.each(SORTS)('sorted by %s', (sort) => {
      it.each(ORDERS)('%s: unknown values sort lowest', async (order) => {
        const profiles = [4, null, -3, 0, null].map((step, index) => sortable(`${index}`, step));
        await service().load('profiles', ...profiles);
        const { body } = await service().get(`${PATH}?sort=${sort}&order=${order}`);
        expect(body.payload).toEqual(sortedAsDocumented(profiles, valueOf(sort), idOf, order));
        expect(body.payload.map(valueOf(sort)).indexOf(null)).toBe(order === 'asc' ? 0 : 3);
      });

      it.each(ORDERS)('%s: ties are broken by the bytes of the ID, in the same direction', async (order) => {
        const ids = IDS_IN_BYTE_ORDER;
        await service().load('profiles', ...ids.toReversed().map((id) => sortable(id, 5)));
        const { body } = await service().get(`${PATH}?sort=${sort}&order=${order}`);
        expect(body.payload.map(idOf)).toEqual(order === 'asc' ? ids : ids.toReversed());
      });

      it.each(ORDERS)('%s: walking returns each profile once, in order, across ties and unknowns', async (order) => {
        const profiles = Array.from({ length: 23 }, (_, index) =>
          sortable(`w${index}`, index % 4 === 0 ? null : index % 3),
        );
        await service().load('profiles', ...profiles);
        for (const limit of ['1', '4', '50']) {
          const walked = await service().walk(PATH, { sort, order, limit });
          expect(walked.map(idOf)).toEqual(sortedAsDocumented(profiles, valueOf(sort), idOf, order).map(idOf));
        }
      });
    });

    it('sorts counts as numbers, over the whole range of safe integers', async () => {
      const counts = [9, 10, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, null];
      const profiles = counts.map((followers) => aProfile({ statistics: { followers, views_estimated: null } }));
      await service().load('profiles', ...profiles);
      const walked = await service().walk(PATH, { sort: 'followers', order: 'asc', limit: '1' });
      expect(walked).toEqual(sortedAsDocumented(profiles, valueOf('followers'), idOf, 'asc'));
    });

    it('sorts dates to the millisecond, also before 1970', async () => {
      const instants = [
        '0000-01-01T00:00:00.000Z',
        '1969-12-31T23:59:59.999Z',
        '1970-01-01T00:00:00.000Z',
        '2026-01-31T09:30:00.001Z',
        '2026-01-31T09:30:00.002Z',
        '9999-12-31T23:59:59.999Z',
      ];
      await service().load('profiles', ...instants.toReversed().map((updated_at) => aProfile({ updated_at })));
      const walked = (await service().walk(PATH, { order: 'asc', limit: '1' })) as Profile[];
      expect(walked.map((profile) => profile.updated_at)).toEqual(instants);
    });
  });

  describe('400', () => {
    it.each(['0', '51', '-1', 'abc', '1.5', '1e1', '0x10', '+5', ' 5', '', '10 ', '９', '99999999999999999999'])(
      '`limit` is never clamped: %j',
      async (limit) => {
        const { status, body } = await service().get(`${PATH}?limit=${encodeURIComponent(limit)}`);
        expect(status).toBe(400);
        expect(body.error).toEqual(
          expect.objectContaining({
            status: 400,
            message: 'limit must be an integer between 1 and 50',
            code: 'invalid_parameter',
          }),
        );
      },
    );

    it.each(['name', 'created_at', 'UPDATED_AT', '', 'followers ', '__proto__', 'toString', 'id;--'])(
      'an unknown `sort`: %j',
      async (sort) => {
        const { status, body } = await service().get(`${PATH}?sort=${encodeURIComponent(sort)}`);
        expect([status, body.error.message]).toEqual([
          400,
          'sort must be one of updated_at, last_active_at, followers',
        ]);
      },
    );

    it.each(['ascending', 'DESC', '', '1', 'constructor'])('an unknown `order`: %j', async (order) => {
      const { status, body } = await service().get(`${PATH}?order=${order}`);
      expect([status, body.error.message]).toEqual([400, 'order must be one of asc, desc']);
    });

    it.each(['page', 'offset', 'content_type', 'Limit', 'platform'])(
      '`page` and `offset` parameters are not supported, nor is %s',
      async (name) => {
        const { status, body } = await service().get(`${PATH}?${name}=1`);
        expect([status, body.error.message]).toEqual([400, `Unknown parameter: ${name}`]);
      },
    );

    it.each(['nowhere', 'gamedb', 'Live_platform', 'live_platform%20', 'toString'])(
      'Invalid platform or missing required parameter: %s',
      async (platform) => {
        const { status, body } = await service().get(`/platforms/${platform}/profiles`);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
      },
    );
  });
});
