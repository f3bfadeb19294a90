import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Content } from '../../../src/features/content/content.js';
import { CONTENT_TYPES } from '../../../src/features/content/content.js';
import { aContent } from '../../support/records/builders.js';
import { idOf, sortedAsDocumented, removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const PATH = '/platforms/live_platform/content';
const createdAt = (item: Content) => item.created_at;

describeService('GET /platforms/{platform}/content', (service) => {
  beforeEach(() => removeAll(service()));

  describe('200', () => {
    it('`payload`: array of Content; `paging`; `meta`: `platform`, `received_at`, and nothing else', async () => {
      const item = aContent();
      await service().load('content', item);
      const { status, body } = await service().get(PATH);
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [item],
        paging: { limit: 10, next_cursor: null },
        meta: { platform: 'live_platform', received_at: expect.any(String) },
      });
    });

    it('lists only the content of the platform in the path', async () => {
      const [here, there] = [aContent(), aContent({ platform: 'photo_platform', type: 'post' })];
      await service().load('content', here, there);
      expect((await service().get(PATH)).body.payload).toEqual([here]);
      expect((await service().get('/platforms/photo_platform/content')).body.payload).toEqual([there]);
      const nothing = await service().get('/platforms/microblog_platform/content');
      expect(nothing.body).toEqual({
        payload: [],
        paging: { limit: 10, next_cursor: null },
        meta: { platform: 'microblog_platform', received_at: expect.any(String) },
      });
    });

    it('`limit` is an integer, 1 to 50, default 10', async () => {
      await service().load('content', ...Array.from({ length: 51 }, () => aContent()));
      const sizes = await Promise.all(
        ['', '?limit=1', '?limit=50'].map(async (query) => {
          const { body } = await service().get(PATH + query);
          return [body.payload.length, body.paging.limit, body.paging.next_cursor !== null];
        }),
      );
      expect(sizes).toEqual([
        [10, 10, true],
        [1, 1, true],
        [50, 50, true],
      ]);
    });

    it('sorts by `created_at`, descending, by default', async () => {
      const items = ['2026-01-02', '2026-01-03', '2026-01-01'].map((day) =>
        aContent({ created_at: `${day}T00:00:00.000Z` }),
      );
      await service().load('content', ...items);
      const get = async (query: string) => (await service().get(PATH + query)).body.payload;
      expect(await get('')).toEqual(sortedAsDocumented(items, createdAt, idOf, 'desc'));
      expect(await get('?sort=created_at')).toEqual(sortedAsDocumented(items, createdAt, idOf, 'desc'));
      expect(await get('?order=asc')).toEqual(sortedAsDocumented(items, createdAt, idOf, 'asc'));
    });

    it.each([
      ['stream', ['stream']],
      ['short', ['short']],
      ['video', ['video', 'long']],
      ['all', CONTENT_TYPES],
      [null, CONTENT_TYPES],
    ] as const)('`content_type=%s` lists the types %j', async (filter, types) => {
      const items = CONTENT_TYPES.flatMap((type, index) => [
        aContent({ type, created_at: `2026-01-0${index + 1}T00:00:00.000Z` }),
        aContent({ type, created_at: null }),
      ]);
      await service().load('content', ...items);
      const expected = items.filter(({ type }) => (types as readonly string[]).includes(type));
      for (const order of ['asc', 'desc'] as const) {
        const parameters = { order, limit: '3', ...(filter === null ? {} : { content_type: filter }) };
        expect(await service().walk(PATH, parameters)).toEqual(sortedAsDocumented(expected, createdAt, idOf, order));
      }
    });

    it('date bounds and `content_type` combine', async () => {
      const items = ['2026-01-01', '2026-01-02', '2026-01-03'].flatMap((day) =>
        (['video', 'stream'] as const).map((type) => aContent({ type, created_at: `${day}T23:59:59.999Z` })),
      );
      await service().load('content', ...items, aContent({ type: 'video', created_at: null }));
      const parameters = { content_type: 'video', start_date: '2026-01-02', end_date: '2026-01-03', limit: '1' };
      const expected = items.filter(({ type, created_at }) => type === 'video' && present(created_at) > '2026-01-02');
      expect(expected).toHaveLength(2);
      expect(await service().walk(PATH, parameters)).toEqual(sortedAsDocumented(expected, createdAt, idOf, 'desc'));
    });
  });

  describe('400', () => {
    it.each([
      ['limit=0', 'limit must be an integer between 1 and 50'],
      ['limit=51', 'limit must be an integer between 1 and 50'],
      ['limit=abc', 'limit must be an integer between 1 and 50'],
      ['limit=1.5', 'limit must be an integer between 1 and 50'],
      ['limit=', 'limit must be an integer between 1 and 50'],
      ['sort=updated_at', 'sort must be one of created_at'],
      ['order=up', 'order must be one of asc, desc'],
      ['content_type=post', 'content_type must be one of stream, video, short, all'],
      ['content_type=long', 'content_type must be one of stream, video, short, all'],
      ['content_type=', 'content_type must be one of stream, video, short, all'],
      ['start_date=2026-02-30', 'start_date must be a calendar date, YYYY-MM-DD'],
      ['end_date=2026-2-3', 'end_date must be a calendar date, YYYY-MM-DD'],
      ['start_date=2026-01-02&end_date=2026-01-01', 'start_date must not be later than end_date'],
      ['page=2', 'Unknown parameter: page'],
      ['offset=2', 'Unknown parameter: offset'],
    ])('%s: %s', async (query, message) => {
      const { status, body } = await service().get(`${PATH}?${query}`);
      expect([status, body.error.message]).toEqual([400, message]);
    });

    it('Invalid platform', async () => {
      const { status, body } = await service().get('/platforms/gamedb/content');
      expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
    });
  });
});
