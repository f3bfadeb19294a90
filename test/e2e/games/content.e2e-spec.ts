import { describe, expect, it } from '@jest/globals';
import type { Content } from '../../../src/features/content/content.js';
import { aContent, aGame, liveGame, uniqueId } from '../../support/records/builders.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const LIMIT = 'limit must be an integer between 1 and 100';
const PLATFORM = 'Invalid platform or missing required parameter';

const pathOf = (gameId: string, platform = 'live_platform') => `/platforms/${platform}/games/${gameId}/content`;
const idsOf = (items: readonly unknown[]) => items.map((item) => (item as Content).content_id);

/** Loads the given items, all of one new game; their IDs are that of the game followed by `a`, `b`, ... */
async function aGameWith(
  service: TestService,
  ...items: Partial<Content>[]
): Promise<{ gameId: string; ids: string[] }> {
  const gameId = uniqueId();
  const ids = items.map((_, index) => `${gameId}-${String(index).padStart(3, '0')}`);
  await service.load(
    'content',
    ...items.map((given, index) => aContent({ content_id: ids[index], categories: [liveGame(gameId)], ...given })),
  );
  return { gameId, ids };
}

describeService('GET /platforms/{platform}/games/{game_id}/content', (service) => {
  const list = async (gameId: string, query = '') => (await service().get(`${pathOf(gameId)}?${query}`)).body;

  describe('200', () => {
    it('returns array of Content, paging with has_more, and meta with source, received_at, request_id, game, platform', async () => {
      const game = aGame();
      const item = aContent({ categories: [liveGame(String(game.live_platform_id))] });
      await service().load('games', game);
      await service().load('content', item);
      const { status, body, headers } = await service().get(pathOf(String(game.live_platform_id)));
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [item],
        paging: { limit: 20, next_cursor: null, has_more: false },
        meta: {
          source: 'database',
          received_at: expect.any(String),
          request_id: headers['x-request-id'],
          game: { id: game.id, name: game.name, slug: game.slug },
          platform: 'live_platform',
        },
      });
    });

    it('lists by the game channel ID on video_platform', async () => {
      const game = aGame();
      const category = { ...liveGame(String(game.video_platform_id)), type: 'video_platform_game' as const };
      const item = aContent({ platform: 'video_platform', type: 'video', categories: [category] });
      await service().load('games', game);
      await service().load('content', item);
      const { body } = await service().get(pathOf(String(game.video_platform_id), 'video_platform'));
      expect([idsOf(body.payload), body.meta.game.id, body.meta.platform]).toEqual([
        [item.content_id],
        game.id,
        'video_platform',
      ]);
    });

    it('has a null game in meta when content refers to a game that was never loaded', async () => {
      const { gameId, ids } = await aGameWith(service(), {});
      const body = await list(gameId);
      expect([idsOf(body.payload), body.meta.game]).toEqual([ids, null]);
    });

    it('has a null slug in meta when the game has none', async () => {
      const game = aGame({ slug: null });
      await service().load('games', game);
      expect((await list(String(game.live_platform_id))).meta.game).toEqual({
        id: game.id,
        name: game.name,
        slug: null,
      });
    });

    it('returns an empty payload for a known game without content', async () => {
      const game = aGame();
      await service().load('games', game);
      expect(await list(String(game.live_platform_id))).toMatchObject({
        payload: [],
        paging: { limit: 20, next_cursor: null, has_more: false },
      });
    });

    it('returns an empty payload when no content of a game passes the filter', async () => {
      const { gameId } = await aGameWith(service(), { type: 'stream' });
      const { status, body } = await service().get(`${pathOf(gameId)}?content_type=short`);
      expect([status, body.payload]).toEqual([200, []]);
    });

    it.each([
      ['stream', ['stream']],
      ['video', ['video', 'long']],
      ['short', ['short']],
      ['all', ['stream', 'video', 'long', 'short', 'post']],
      [null, ['stream', 'video', 'long', 'short', 'post']],
    ] as const)('content_type %s returns the types %j', async (filter, types) => {
      const all = ['stream', 'video', 'long', 'short', 'post'] as const;
      const { gameId, ids } = await aGameWith(service(), ...all.map((type) => ({ type })));
      const body = await list(gameId, `order=asc${filter === null ? '' : `&content_type=${filter}`}`);
      expect(idsOf(body.payload)).toEqual(types.map((type) => ids[all.indexOf(type)]));
    });

    it('order: asc, desc; default desc, with null dates as the lowest', async () => {
      const dates = ['2026-02-01T00:00:00.000Z', null, '2026-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'];
      const { gameId, ids } = await aGameWith(service(), ...dates.map((created_at) => ({ created_at })));
      const descending = [ids[0], ids[2], ids[3], ids[1]];
      expect(idsOf((await list(gameId)).payload)).toEqual(descending);
      expect(idsOf((await list(gameId, 'order=desc&sort=created_at')).payload)).toEqual(descending);
      expect(idsOf((await list(gameId, 'order=asc')).payload)).toEqual(descending.toReversed());
    });

    it('breaks ties by the bytes of the ID, in the direction of order, also among null dates', async () => {
      for (const created_at of ['2026-01-01T00:00:00.000Z', null]) {
        const gameId = uniqueId();
        const ids = ['10', '9', 'Z', 'a', 'é'].map((end) => `${gameId}${end}`);
        await service().load(
          'content',
          ...ids.map((content_id) => aContent({ content_id, created_at, categories: [liveGame(gameId)] })),
        );
        expect(idsOf((await list(gameId, 'order=asc')).payload)).toEqual(ids);
        expect(idsOf((await list(gameId)).payload)).toEqual(ids.toReversed());
      }
    });

    it('start_date and end_date are inclusive whole UTC days and exclude null dates', async () => {
      const dates = [
        '2026-01-09T23:59:59.999Z',
        '2026-01-10T00:00:00.000Z',
        '2026-01-11T23:59:59.999Z',
        '2026-01-12T00:00:00.000Z',
        null,
      ];
      const { gameId, ids } = await aGameWith(service(), ...dates.map((created_at) => ({ created_at })));
      const found = async (query: string) =>
        idsOf((await list(gameId, `order=asc&${query}`)).payload).map((id) => ids.indexOf(id));
      expect(await found('start_date=2026-01-10')).toEqual([1, 2, 3]);
      expect(await found('end_date=2026-01-11')).toEqual([0, 1, 2]);
      expect(await found('start_date=2026-01-10&end_date=2026-01-11')).toEqual([1, 2]);
      expect(await found('start_date=2026-01-10&end_date=2026-01-10')).toEqual([1]);
      expect(await found('start_date=2026-01-13')).toEqual([]);
      expect(await found('start_date=2026-01-10&end_date=2026-01-11&content_type=stream')).toEqual([1, 2]);
    });

    it('limit: 1 to 100, default 20; has_more states whether there is a next page', async () => {
      const { gameId } = await aGameWith(service(), ...Array.from({ length: 101 }, () => ({})));
      for (const [query, count] of [
        ['', 20],
        ['limit=1', 1],
        ['limit=100', 100],
      ] as const) {
        const { payload, paging } = await list(gameId, query);
        expect([payload.length, paging]).toEqual([
          count,
          { limit: count, next_cursor: expect.any(String), has_more: true },
        ]);
      }
      const last = await list(gameId, `limit=100&cursor=${(await list(gameId, 'limit=100')).paging.next_cursor}`);
      expect([last.payload.length, last.paging]).toEqual([1, { limit: 100, next_cursor: null, has_more: false }]);
    });

    it.each(['asc', 'desc'])('walking %s returns every item once, including ties and null dates', async (order) => {
      const days = [null, null, null, '01', '02', '02', '02', '02', '03', '03', '04'];
      const { gameId, ids } = await aGameWith(
        service(),
        ...days.map((day) => ({ created_at: day === null ? null : `2026-01-${day}T00:00:00.000Z` })),
      );
      const expected = order === 'asc' ? ids : ids.toReversed();
      for (const limit of ['1', '2', '3', '11']) {
        expect(idsOf(await service().walk(pathOf(gameId), { order, limit }))).toEqual(expected);
        expect(idsOf(await service().walk(pathOf(gameId), { order, limit, content_type: 'stream' }))).toEqual(expected);
      }
    });

    it('returns unchanged items once while others are added and changed between pages', async () => {
      const dates = ['2026-01-05', '2026-01-04', '2026-01-03', '2026-01-02'].map((day) => `${day}T00:00:00.000Z`);
      const { gameId, ids } = await aGameWith(service(), ...dates.map((created_at) => ({ created_at })));
      const first = await list(gameId, 'limit=2');
      await service().load(
        'content',
        aContent({ created_at: '2026-01-06T00:00:00.000Z', categories: [liveGame(gameId)] }),
      );
      await service().load(
        'content',
        aContent({ content_id: ids[1], created_at: '2026-01-07T00:00:00.000Z', categories: [liveGame(gameId)] }),
      );
      const second = await list(gameId, `limit=2&cursor=${first.paging.next_cursor}`);
      expect([idsOf(first.payload), idsOf(second.payload)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    });

    it('costs units by its limit and no credits, even for an empty page', async () => {
      const { gameId } = await aGameWith(service(), {});
      for (const [query, units] of [
        ['', '20'],
        ['limit=100', '100'],
        ['content_type=short&limit=3', '3'],
      ] as const) {
        const { headers } = await service().get(`${pathOf(gameId)}?${query}`);
        expect([headers['x-quota-units'], headers['x-credits']]).toEqual([units, '0']);
      }
    });

    it('answers 304 to the ETag of the same page, although request_id differs', async () => {
      const { gameId } = await aGameWith(service(), {});
      const { headers } = await service().get(pathOf(gameId));
      const again = await service().get(pathOf(gameId), { 'if-none-match': String(headers.etag) });
      expect([again.status, again.headers['x-quota-units']]).toEqual([304, '0']);
    });
  });

  describe('400', () => {
    it.each([
      ['limit=0', LIMIT],
      ['limit=101', LIMIT],
      ['limit=1e1', LIMIT],
      ['limit=', LIMIT],
      ['sort=updated_at', 'sort must be one of created_at'],
      ['order=up', 'order must be one of asc, desc'],
      ['content_type=long', 'content_type must be one of stream, video, short, all'],
      ['content_type=post', 'content_type must be one of stream, video, short, all'],
      ['start_date=2026-02-29', 'start_date must be a calendar date, YYYY-MM-DD'],
      ['end_date=2026-1-1', 'end_date must be a calendar date, YYYY-MM-DD'],
      ['start_date=2026-01-02&end_date=2026-01-01', 'start_date must not be later than end_date'],
      ['cursor=nonsense', 'Invalid cursor'],
      ['cursor=', 'Invalid cursor'],
      ['page=2', 'Unknown parameter: page'],
      ['offset=2', 'Unknown parameter: offset'],
      ['order=asc&order=asc', 'Parameter given more than once: order'],
    ])('rejects %s', async (query, message) => {
      const { gameId } = await aGameWith(service(), {});
      const { status, body, headers } = await service().get(`${pathOf(gameId)}?${query}`);
      expect([status, body.error.message, headers['x-quota-units']]).toEqual([400, message, '0']);
    });

    it('rejects the cursor of another order', async () => {
      const { gameId } = await aGameWith(service(), {}, {});
      const { paging } = await list(gameId, 'limit=1');
      const { status, body } = await service().get(`${pathOf(gameId)}?order=asc&cursor=${paging.next_cursor}`);
      expect([status, body.error.message]).toEqual([400, 'Invalid cursor']);
    });

    it.each(['photo_platform', 'short_platform', 'microblog_platform', 'gamedb', 'nowhere'])(
      'platform is live_platform or video_platform: rejects %s',
      async (platform) => {
        const { status, body } = await service().get(pathOf('1', platform));
        expect([status, body.error.message]).toEqual([400, PLATFORM]);
      },
    );
  });

  describe('404', () => {
    it('answers Game not found when neither the game nor content of it is known; costs units but no credits', async () => {
      const { status, body, headers } = await service().get(`${pathOf(uniqueId())}?limit=7`);
      expect([status, body.error.message]).toEqual([404, 'Game not found']);
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['7', '0']);
    });

    it('does not find a game of one platform on the other', async () => {
      const { gameId } = await aGameWith(service(), {});
      expect((await service().get(pathOf(gameId, 'video_platform'))).status).toBe(404);
    });
  });
});
