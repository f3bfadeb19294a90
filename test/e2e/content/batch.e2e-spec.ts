import { describe, expect, it } from '@jest/globals';
import { aContent, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const PATH = '/platforms/live_platform/content';

describeService('POST /platforms/{platform}/content', (service) => {
  describe('200', () => {
    it('`payload`: array of Content for the IDs found; `meta`: `platform`, `missing_ids`, `received_at`, and nothing else', async () => {
      const [item, missing] = [aContent(), uniqueId()];
      await service().load('content', item);
      const { status, body } = await service().post(PATH, { content_ids: [missing, item.content_id] });
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [item],
        meta: { platform: 'live_platform', missing_ids: [missing], received_at: expect.any(String) },
      });
    });

    it('answers repeated IDs once, found and missing ones in the order of their first appearance', async () => {
      const [a, b] = [aContent(), aContent()];
      const [x, y] = [uniqueId(), uniqueId()];
      await service().load('content', a, b);
      const content_ids = [y, b.content_id, x, y, a.content_id, b.content_id];
      const { body } = await service().post(PATH, { content_ids });
      expect(body.payload).toEqual([b, a]);
      expect(body.meta.missing_ids).toEqual([y, x]);
    });

    it('does not fail for unknown IDs, nor for those of another platform', async () => {
      const item = aContent({ platform: 'video_platform' });
      await service().load('content', item);
      const { status, body } = await service().post(PATH, { content_ids: [item.content_id] });
      expect([status, body.payload, body.meta.missing_ids]).toEqual([200, [], [item.content_id]]);
    });

    it.each([1, 100])('accepts %i items', async (count) => {
      const items = Array.from({ length: count }, () => aContent());
      await service().load('content', ...items);
      const { status, body } = await service().post(PATH, { content_ids: items.map((item) => item.content_id) });
      expect([status, body.payload, body.meta.missing_ids]).toEqual([200, items, []]);
    });
  });

  describe('400', () => {
    it.each([0, 101])('content_ids must contain between 1 and 100 items: %i', async (count) => {
      const { status, body } = await service().post(PATH, { content_ids: Array.from({ length: count }, () => 'x') });
      expect([status, body.error.message]).toEqual([400, 'content_ids must contain between 1 and 100 items']);
    });

    it.each([[''], [1], [null], [['a']], [{}]])(
      'an item that is not a non-empty string: %j',
      async (...content_ids) => {
        const { status, body } = await service().post(PATH, { content_ids });
        expect([status, body.error.message]).toEqual([400, 'content_ids must contain only non-empty strings']);
      },
    );

    it('Invalid platform or missing required parameter', async () => {
      for (const [path, sent] of [
        [PATH, {}],
        ['/platforms/gamedb/content', { content_ids: ['1'] }],
      ] as const) {
        const { status, body } = await service().post(path, sent);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
      }
    });
  });
});
