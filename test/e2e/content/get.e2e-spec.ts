import { describe, expect, it } from '@jest/globals';
import { CONTENT_TYPES, type Content } from '../../../src/features/content/content.js';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { aContent, liveGame, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const pathOf = ({ platform, content_id }: Content) => `/platforms/${platform}/content/${content_id}`;

describeService('GET /platforms/{platform}/content/{content_id}', (service) => {
  describe('200', () => {
    it.each(PLATFORMS)('`payload`: Content; `meta`: `received_at`, and nothing else (%s)', async (platform) => {
      const item = aContent({ platform });
      await service().load('content', item);
      const { status, body } = await service().get(pathOf(item));
      expect(status).toBe(200);
      expect(body).toEqual({ payload: item, meta: { received_at: expect.any(String) } });
    });

    it.each(CONTENT_TYPES)('`type`: %s', async (type) => {
      const item = aContent({ type });
      await service().load('content', item);
      expect((await service().get(pathOf(item))).body.payload.type).toBe(type);
    });

    it('every documented field is present, null or empty when unknown, in the documented order', async () => {
      const id = uniqueId();
      await service().load('content', { content_id: id, platform: 'live_platform', type: 'stream' });
      const { text } = await service().get(`/platforms/live_platform/content/${id}`);
      expect(text).toContain(
        `{"payload":{"content_id":"${id}","platform":"live_platform","type":"stream","title":null,` +
          '"description":null,"created_at":null,"ended_at":null,"duration":null,"url":null,"categories":[],"tags":[],' +
          '"statistics":{},"chapters":[],"profile_id":null},"meta":',
      );
    });

    it('a single item of `video_platform` carries `views`, `likes` and `comments`, with all their leaves', async () => {
      const item = aContent({ platform: 'video_platform', type: 'video' });
      const loaded = { views: { sum: 3 }, likes: {}, comments: { sum: 4 } };
      await service().load('content', { ...item, statistics: loaded });
      expect((await service().get(pathOf(item))).body.payload.statistics).toEqual({
        views: { sum: 3 },
        likes: { sum: null },
        comments: { sum: 4, avg: null },
      });
    });

    it('chapters, categories and tags come back in their order', async () => {
      const item = aContent({
        categories: [liveGame('2', 'Second'), liveGame('1', 'First')],
        tags: [
          { id: 'z', type: 'live_platform_tag', name: 'English' },
          { id: 'a', type: 'live_platform_tag', name: null },
        ],
        chapters: ['c2', 'c1'].map((id) => ({
          id,
          title: `Chapter ${id}`,
          description: null,
          created_at: '2026-01-31T09:30:00.000Z',
          ended_at: null,
          duration: 60_000,
          categories: [liveGame('3')],
          tags: [],
          statistics: { viewers: { avg: 1.25, max: null } },
        })),
      });
      await service().load('content', item);
      expect((await service().get(pathOf(item))).body.payload).toEqual(item);
    });
  });

  describe('404', () => {
    it('Unknown item: `Content not found`', async () => {
      const { status, body, headers } = await service().get(`/platforms/video_platform/content/${uniqueId()}`);
      expect(status).toBe(404);
      expect(body).toEqual({
        error: expect.objectContaining({ status: 404, message: 'Content not found', code: 'content_not_found' }),
        meta: { request_id: headers['x-request-id'] },
      });
    });

    it('an item of another platform is not found', async () => {
      const item = aContent({ platform: 'video_platform' });
      await service().load('content', item);
      expect((await service().get(`/platforms/live_platform/content/${item.content_id}`)).status).toBe(404);
    });
  });

  describe('400', () => {
    it('Invalid platform, whether or not the item exists', async () => {
      const { status, body } = await service().get(`/platforms/gamedb/content/${uniqueId()}`);
      expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
    });

    it('any query parameter is rejected as unknown', async () => {
      const { status, body } = await service().get(`/platforms/live_platform/content/${uniqueId()}?fields=title`);
      expect([status, body.error.message]).toEqual([400, 'Unknown parameter: fields']);
    });
  });
});
