import { describe, expect, it } from '@jest/globals';
import type { Chapter, Content } from '../../../src/features/content/content.js';
import { aContent, liveGame, uniqueId } from '../../support/records/builders.js';
import { present } from '../../support/present.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

/** Creates a chapter with only its categories known. */
const aChapter = (...gameIds: string[]): Chapter => ({
  id: uniqueId(),
  title: null,
  description: null,
  created_at: null,
  ended_at: null,
  duration: null,
  categories: gameIds.map((id) => liveGame(id)),
  tags: [],
  statistics: {},
});

async function contentOf(service: TestService, gameId: string, query = ''): Promise<string[]> {
  const { status, body } = await service.get(`/platforms/live_platform/games/${gameId}/content?${query}`);
  if (status === 404) return [];
  return (body.payload as Content[]).map(({ content_id }) => content_id);
}

describeService('content of a game', (service) => {
  describe('belongs to a game when one of its own or its chapters’ categories is that game', () => {
    it('is listed once under every game among its categories', async () => {
      const [own, both, inChapter] = [uniqueId(), uniqueId(), uniqueId()];
      const item = aContent({
        categories: [liveGame(own), liveGame(both), liveGame(own)],
        chapters: [aChapter(both), aChapter(inChapter, inChapter), aChapter(inChapter)],
      });
      await service().load('content', item);
      for (const gameId of [own, both, inChapter])
        expect(await contentOf(service(), gameId)).toEqual([item.content_id]);
    });

    it('is not listed under categories that are not games of its platform', async () => {
      const id = uniqueId();
      const types = ['video_platform_game', 'video_platform_category'] as const;
      await service().load('content', aContent({ categories: types.map((type) => ({ ...liveGame(id), type })) }));
      expect(await contentOf(service(), id)).toEqual([]);
    });

    it('is not listed under a game for its tags', async () => {
      const id = uniqueId();
      await service().load('content', aContent({ tags: [{ id, type: 'video_platform_game', name: null }] }));
      expect(await contentOf(service(), id)).toEqual([]);
    });

    it('is listed whole and in its place under each of hundreds of games', async () => {
      const gameIds = Array.from({ length: 300 }, () => uniqueId());
      const many = aContent({
        created_at: '2026-02-01T00:00:00.000Z',
        description: 'x'.repeat(5000),
        categories: gameIds.map((id) => liveGame(id)),
      });
      const [game, otherGame] = [present(gameIds[7]), present(gameIds[299])];
      const newer = aContent({ created_at: '2026-03-01T00:00:00.000Z', categories: [liveGame(game)] });
      const older = aContent({ created_at: '2026-01-01T00:00:00.000Z', categories: [liveGame(game)] });
      await service().load('content', many, newer, older);
      const { body } = await service().get(`/platforms/live_platform/games/${game}/content`);
      expect(body.payload).toEqual([newer, many, older]);
      expect(await contentOf(service(), otherGame)).toEqual([many.content_id]);
    });

    it('is distinct from content whose ID differs only in case', async () => {
      const gameId = uniqueId();
      const ids = [`${gameId}-AB`, `${gameId}-aB`];
      await service().load(
        'content',
        ...ids.map((content_id) => aContent({ content_id, categories: [liveGame(gameId)] })),
      );
      expect(await contentOf(service(), gameId, 'order=asc')).toEqual(ids);
    });
  });

  describe('follows what is loaded', () => {
    it('leaves a game when it is loaded again without that game, and stays under its other games', async () => {
      const [kept, left, leftChapter] = [uniqueId(), uniqueId(), uniqueId()];
      const item = aContent({ categories: [liveGame(kept), liveGame(left)], chapters: [aChapter(leftChapter)] });
      await service().load('content', item);
      await service().load('content', { ...item, categories: [liveGame(kept)], chapters: [] });
      expect(await contentOf(service(), kept)).toEqual([item.content_id]);
      expect([await contentOf(service(), left), await contentOf(service(), leftChapter)]).toEqual([[], []]);
      expect((await service().get(`/platforms/live_platform/games/${left}/content`)).body.error.message).toBe(
        'Game not found',
      );
    });

    it('joins a game when it is loaded again with that game', async () => {
      const gameId = uniqueId();
      const item = aContent();
      await service().load('content', item);
      await service().load('content', { ...item, categories: [liveGame(gameId)] });
      expect(await contentOf(service(), gameId)).toEqual([item.content_id]);
    });

    it('moves when created_at changes, and is listed once', async () => {
      const gameId = uniqueId();
      const at = (day: string | null) => ({
        created_at: day && `2026-01-${day}T00:00:00.000Z`,
        categories: [liveGame(gameId)],
      });
      const [moving, fixed] = [aContent(at('01')), aContent(at('02'))];
      await service().load('content', moving, fixed);
      expect(await contentOf(service(), gameId)).toEqual([fixed.content_id, moving.content_id]);
      await service().load('content', { ...moving, ...at('03') });
      expect(await contentOf(service(), gameId)).toEqual([moving.content_id, fixed.content_id]);
      await service().load('content', { ...moving, ...at(null) });
      expect(await contentOf(service(), gameId)).toEqual([fixed.content_id, moving.content_id]);
    });

    it('changes its content_type when its type changes', async () => {
      const gameId = uniqueId();
      const item = aContent({ type: 'stream', categories: [liveGame(gameId)] });
      await service().load('content', item);
      await service().load('content', { ...item, type: 'short' });
      expect(await contentOf(service(), gameId, 'content_type=stream')).toEqual([]);
      expect(await contentOf(service(), gameId, 'content_type=short')).toEqual([item.content_id]);
    });

    it('follows its last line when several lines of one file hold it', async () => {
      const [first, last] = [uniqueId(), uniqueId()];
      const item = aContent();
      await service().load(
        'content',
        { ...item, categories: [liveGame(first)] },
        { ...item, categories: [liveGame(last)] },
      );
      expect([await contentOf(service(), first), await contentOf(service(), last)]).toEqual([[], [item.content_id]]);
    });

    it('is visible in every process as soon as an import has ended', async () => {
      const other = await service().startSecond();
      try {
        const gameId = uniqueId();
        const item = aContent({ categories: [liveGame(gameId)] });
        await service().load('content', item);
        expect(await contentOf(other, gameId)).toEqual([item.content_id]);
        await other.load('content', { ...item, categories: [] });
        expect(await contentOf(service(), gameId)).toEqual([]);
      } finally {
        await other.stop();
      }
    });
  });
});
