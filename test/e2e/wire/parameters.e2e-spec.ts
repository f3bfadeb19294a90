import { describe, expect, it } from '@jest/globals';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const SINGLES = ['/platforms/live_platform/profiles/1', '/platforms/live_platform/content/1'];
const LISTS = [
  '/platforms/live_platform/profiles',
  '/platforms/live_platform/content',
  '/platforms/live_platform/profiles/1/content',
];

describeService('query parameters', (service) => {
  const errorOf = async (path: string) => {
    const { status, body } = await service().get(path);
    return [status, body.error?.message];
  };

  describe('400', () => {
    it.each([...SINGLES, ...LISTS])('an unknown parameter is named: %s', async (path) => {
      for (const name of ['page', 'offset', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x y', 'é', '']) {
        const written = `${encodeURIComponent(name)}=1`;
        expect(await errorOf(`${path}?${written}`)).toEqual([400, `Unknown parameter: ${name}`]);
      }
    });

    it.each(LISTS)('a parameter given more than once is named: %s', async (path) => {
      for (const name of ['limit', 'cursor', 'sort', 'order', 'start_date', 'end_date']) {
        expect(await errorOf(`${path}?${name}=1&${name}=1`)).toEqual([400, `Parameter given more than once: ${name}`]);
      }
      expect(await errorOf(`${path}?limit=1&order=asc&limi%74=2`)).toEqual([
        400,
        'Parameter given more than once: limit',
      ]);
    });

    it.each(LISTS)('names with brackets are unknown, neither arrays nor objects: %s', async (path) => {
      for (const name of ['limit[]', 'limit[0]', 'sort[$ne]', 'order.x', 'limit[__proto__][x]']) {
        expect(await errorOf(`${path}?${encodeURIComponent(name)}=1`)).toEqual([400, `Unknown parameter: ${name}`]);
      }
    });

    it.each([...SINGLES, ...LISTS, '/platforms/live_platform/profiles/1/analysis', '/games/search', '/usage'])(
      'more than 1,000 parameters, empty ones included, which could hide others: %s',
      async (path) => {
        for (const query of [`${'&'.repeat(1000)}limit=x`, `${'a=1&'.repeat(1000)}x=1`, '&'.repeat(10_000)]) {
          expect(await errorOf(`${path}?${query}`)).toEqual([400, 'Query must not have more than 1000 parameters']);
        }
      },
    );

    it('a parameter behind 999 empty ones is read', async () => {
      const message = 'limit must be an integer between 1 and 50';
      expect(await errorOf(`${present(LISTS[0])}?${'&'.repeat(999)}limit=x`)).toEqual([400, message]);
    });

    it('an unknown name is shortened in the message', async () => {
      const [status, message] = await errorOf(`${present(LISTS[0])}?${'x'.repeat(9_000)}=1`);
      expect([status, message]).toEqual([400, `Unknown parameter: ${'x'.repeat(100)}`]);
    });

    it('names are case-sensitive', async () => {
      expect(await errorOf(`${present(LISTS[0])}?LIMIT=1`)).toEqual([400, 'Unknown parameter: LIMIT']);
    });

    it('errors come before the look-up and after the key', async () => {
      const path = `/platforms/live_platform/profiles/${uniqueId()}`;
      expect((await service().get(`${path}?x=1`)).status).toBe(400);
      expect((await service().get(`${path}?x=1`, { 'x-api-key': '' })).status).toBe(401);
    });
  });

  describe('200', () => {
    it('an empty query string has no parameters', async () => {
      const [profile, item] = [aProfile(), aContent()];
      await service().load('profiles', profile);
      await service().load('content', item);
      expect((await service().get(`/platforms/live_platform/profiles/${profile.id}?`)).status).toBe(200);
      expect((await service().get(`/platforms/live_platform/content/${item.content_id}?`)).status).toBe(200);
      expect((await service().get(`${present(LISTS[0])}?`)).status).toBe(200);
    });

    it('percent-encoded names and values are equivalent', async () => {
      const { body } = await service().get(`${present(LISTS[0])}?%6cimit=%31%37&order=%61sc`);
      expect(body.paging.limit).toBe(17);
    });
  });
});
