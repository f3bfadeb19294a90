import { describe, expect, it } from '@jest/globals';
import { CONTENT_TYPES, type Content } from '../../../src/features/content/content.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { idOf, IDS_IN_BYTE_ORDER, sortedAsDocumented } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const pathOf = (id: string) => `/platforms/live_platform/profiles/${encodeURIComponent(id)}/content`;
const createdAt = (item: Content) => item.created_at;

describeService('GET /platforms/{platform}/profiles/{profile_id}/content', (service) => {
  describe('200', () => {
    it('`payload`: array of Content; `paging`; `meta`: `platform`, `profile_id`, `received_at`, and nothing else', async () => {
      const profile = aProfile();
      const item = aContent({ profile_id: profile.id });
      await service().load('profiles', profile);
      await service().load('content', item, aContent(), aContent({ profile_id: uniqueId() }));
      const { status, body } = await service().get(pathOf(profile.id));
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [item],
        paging: { limit: 10, next_cursor: null },
        meta: { platform: 'live_platform', profile_id: profile.id, received_at: expect.any(String) },
      });
    });

    it('a known profile without content has an empty `payload`', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const { status, body } = await service().get(pathOf(profile.id));
      expect(status).toBe(200);
      expect(body.payload).toEqual([]);
      expect(body.paging.next_cursor).toBeNull();
    });

    it('content of a profile that was never loaded is listed', async () => {
      const item = aContent({ profile_id: uniqueId() });
      await service().load('content', item);
      const { status, body } = await service().get(pathOf(present(item.profile_id)));
      expect([status, body.payload]).toEqual([200, [item]]);
    });

    it('an unknown profile with content has an empty `payload` when no item passes the filters', async () => {
      const item = aContent({ profile_id: uniqueId() });
      await service().load('content', item);
      for (const query of ['content_type=video', 'start_date=2027-01-01', 'end_date=2000-01-01']) {
        const { status, body } = await service().get(`${pathOf(present(item.profile_id))}?${query}`);
        expect([status, body.payload]).toEqual([200, []]);
      }
    });

    it.each([
      ['stream', ['stream']],
      ['short', ['short']],
      ['video', ['video', 'long']],
      ['all', CONTENT_TYPES],
      [null, CONTENT_TYPES],
    ] as const)('`content_type=%s` lists the types %j', async (filter, types) => {
      const profile_id = uniqueId();
      const items = CONTENT_TYPES.flatMap((type, index) => [
        aContent({ type, profile_id, created_at: `2026-01-0${index + 1}T00:00:00.000Z` }),
        aContent({ type, profile_id, created_at: null }),
      ]);
      await service().load('content', ...items, ...CONTENT_TYPES.map((type) => aContent({ type })));
      const expected = items.filter(({ type }) => (types as readonly string[]).includes(type));
      for (const order of ['asc', 'desc'] as const) {
        const parameters = { order, limit: '3', ...(filter === null ? {} : { content_type: filter }) };
        expect(await service().walk(pathOf(profile_id), parameters)).toEqual(
          sortedAsDocumented(expected, createdAt, idOf, order),
        );
      }
    });

    it.each(['asc', 'desc'] as const)(
      '%s: unknown dates sort lowest, ties are broken by the bytes of the ID',
      async (order) => {
        const profile_id = uniqueId();
        const items = IDS_IN_BYTE_ORDER.flatMap((id) => [
          aContent({ content_id: `${profile_id}${id}`, profile_id }),
          aContent({ content_id: `${profile_id}-${id}`, profile_id, created_at: null }),
          aContent({ content_id: `${profile_id}+${id}`, profile_id, created_at: '1969-12-31T23:59:59.999Z' }),
        ]);
        await service().load('content', ...items);
        const expected = sortedAsDocumented(items, createdAt, idOf, order).map(idOf);
        expect((await service().walk(pathOf(profile_id), { order, limit: '4' })).map(idOf)).toEqual(expected);
      },
    );

    it('`limit` is an integer, 1 to 50, default 10', async () => {
      const profile_id = uniqueId();
      await service().load('content', ...Array.from({ length: 51 }, () => aContent({ profile_id })));
      const sizes = await Promise.all(
        ['', '?limit=1', '?limit=50'].map(async (query) => {
          const { body } = await service().get(pathOf(profile_id) + query);
          return [body.payload.length, body.paging.limit, body.paging.next_cursor !== null];
        }),
      );
      expect(sizes).toEqual([
        [10, 10, true],
        [1, 1, true],
        [50, 50, true],
      ]);
    });

    it('date bounds are inclusive whole UTC days', async () => {
      const profile_id = uniqueId();
      const instants = [
        '2026-01-01T23:59:59.999Z',
        '2026-01-02T00:00:00.000Z',
        '2026-01-02T23:59:59.999Z',
        '2026-01-03T00:00:00.000Z',
      ];
      await service().load('content', ...instants.map((created_at) => aContent({ profile_id, created_at })));
      const parameters = { start_date: '2026-01-02', end_date: '2026-01-02', order: 'asc', limit: '1' };
      const walked = (await service().walk(pathOf(profile_id), parameters)) as Content[];
      expect(walked.map(createdAt)).toEqual(instants.slice(1, 3));
    });

    it('follows an item that changes or loses its creator', async () => {
      const [a, b] = [aProfile(), aProfile()];
      const [moving, leaving] = [aContent({ profile_id: a.id }), aContent({ profile_id: a.id })];
      await service().load('profiles', a, b);
      await service().load('content', moving, leaving);
      await service().load('content', { ...moving, profile_id: b.id }, { ...leaving, profile_id: null });
      expect((await service().get(pathOf(a.id))).body.payload).toEqual([]);
      expect((await service().get(pathOf(b.id))).body.payload.map(idOf)).toEqual([moving.content_id]);
    });
  });

  describe('404', () => {
    it('an unknown profile without content: `Profile not found`', async () => {
      const { status, body } = await service().get(pathOf(uniqueId()));
      expect([status, body.error]).toEqual([
        404,
        expect.objectContaining({ status: 404, message: 'Profile not found', code: 'profile_not_found' }),
      ]);
    });

    it('a profile and content of another platform are not found', async () => {
      const profile = aProfile({ platform_id: 'video_platform' });
      await service().load('profiles', profile);
      await service().load('content', aContent({ platform: 'video_platform', profile_id: profile.id }));
      expect((await service().get(pathOf(profile.id))).status).toBe(404);
    });
  });

  describe('400', () => {
    it.each([
      ['limit=0', 'limit must be an integer between 1 and 50'],
      ['limit=51', 'limit must be an integer between 1 and 50'],
      ['limit=', 'limit must be an integer between 1 and 50'],
      ['sort=views', 'sort must be one of created_at'],
      ['order=', 'order must be one of asc, desc'],
      ['content_type=long', 'content_type must be one of stream, video, short, all'],
      ['start_date=2026-01-32', 'start_date must be a calendar date, YYYY-MM-DD'],
      ['start_date=2026-01-02&end_date=2026-01-01', 'start_date must not be later than end_date'],
      ['offset=1', 'Unknown parameter: offset'],
    ])('comes before the look-up: %s: %s', async (query, message) => {
      const { status, body } = await service().get(`${pathOf(uniqueId())}?${query}`);
      expect([status, body.error.message]).toEqual([400, message]);
    });
  });
});
