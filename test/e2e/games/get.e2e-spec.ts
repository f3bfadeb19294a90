import { describe, expect, it } from '@jest/globals';
import { aGame, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

describeService('GET /platforms/{platform}/games/{game_id}', (service) => {
  describe('200', () => {
    it.each([
      ['live_platform', 'live_platform_id'],
      ['video_platform', 'video_platform_id'],
      ['gamedb', 'id'],
    ] as const)('returns Game plus total_rating_count by its ID on %s', async (platform, member) => {
      const game = aGame();
      await service().load('games', game);
      const { status, body } = await service().get(`/platforms/${platform}/games/${game[member]}`);
      expect(status).toBe(200);
      expect(body).toEqual({ payload: game, meta: { received_at: expect.any(String) } });
      expect(Object.keys(body.payload).at(-1)).toBe('total_rating_count');
    });

    it('returns every documented field, null when unknown', async () => {
      const id = uniqueId();
      await service().load('games', { id, name: 'Hardly known' });
      expect((await service().get(`/platforms/gamedb/games/${id}`)).body.payload).toEqual({
        id,
        name: 'Hardly known',
        slug: null,
        first_release_date: null,
        live_platform_id: null,
        video_platform_id: null,
        total_rating_count: null,
      });
    });

    it('returns only the latest record', async () => {
      const game = aGame();
      await service().load('games', game);
      await service().load('games', { id: game.id, name: 'New name', live_platform_id: game.live_platform_id });
      const { body } = await service().get(`/platforms/live_platform/games/${game.live_platform_id}`);
      expect(body.payload).toMatchObject({ name: 'New name', slug: null, total_rating_count: null });
      expect((await service().get(`/platforms/video_platform/games/${game.video_platform_id}`)).status).toBe(404);
    });

    it('keeps integers exact up to 2^53 - 1', async () => {
      const game = aGame({ total_rating_count: Number.MAX_SAFE_INTEGER });
      await service().load('games', game);
      expect((await service().get(`/platforms/gamedb/games/${game.id}`)).text).toContain(
        '"total_rating_count":9007199254740991}',
      );
    });

    it('costs 1 unit and no credits, and nothing when unchanged', async () => {
      const game = aGame();
      await service().load('games', game);
      const path = `/platforms/gamedb/games/${game.id}`;
      const { headers } = await service().get(path);
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['1', '0']);
      const again = await service().get(path, { 'if-none-match': String(headers.etag) });
      expect([again.status, again.headers['x-quota-units']]).toEqual([304, '0']);
      await service().load('games', { ...game, name: 'Changed' });
      expect((await service().get(path, { 'if-none-match': String(headers.etag) })).status).toBe(200);
    });
  });

  describe('404', () => {
    it.each(['live_platform', 'video_platform', 'gamedb'])(
      'answers Game not found for an unknown ID on %s',
      async (platform) => {
        const { status, body } = await service().get(`/platforms/${platform}/games/${uniqueId()}`);
        expect([status, body.error.message]).toEqual([404, 'Game not found']);
      },
    );

    it('compares IDs bytewise: another case, added spaces and IDs of another namespace are not found', async () => {
      const game = aGame({ live_platform_id: `Case${uniqueId()}` });
      await service().load('games', game);
      const live = String(game.live_platform_id);
      for (const id of [live.toLowerCase(), `${live}%20`, `%20${live}`, game.id]) {
        expect([id, (await service().get(`/platforms/live_platform/games/${id}`)).status]).toEqual([id, 404]);
      }
      expect((await service().get(`/platforms/gamedb/games/${live}`)).status).toBe(404);
    });
  });

  describe('400', () => {
    it.each(['photo_platform', 'short_platform', 'microblog_platform', 'GAMEDB', 'nowhere'])(
      'rejects the platform %s',
      async (platform) => {
        const game = aGame();
        await service().load('games', game);
        const { status, body } = await service().get(`/platforms/${platform}/games/${game.id}`);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
      },
    );

    it('rejects any query parameter', async () => {
      const { status, body } = await service().get('/platforms/gamedb/games/1?limit=1');
      expect([status, body.error.message]).toEqual([400, 'Unknown parameter: limit']);
    });
  });
});
