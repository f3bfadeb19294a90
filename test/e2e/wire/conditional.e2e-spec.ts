import { beforeEach, describe, expect, it } from '@jest/globals';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const LIST = '/platforms/live_platform/profiles';

describeService('conditional requests', (service) => {
  beforeEach(() => removeAll(service()));

  const etagOf = async (path: string) => String((await service().get(path)).headers.etag);
  const conditional = (path: string, tags: string, method = 'GET') =>
    service().request(path, { method, headers: { 'if-none-match': tags } });

  async function paths() {
    const profile = aProfile();
    const item = aContent({ profile_id: profile.id });
    await service().load('profiles', profile);
    await service().load('content', item);
    return [
      `${LIST}/${profile.id}`,
      LIST,
      `/platforms/live_platform/content/${item.content_id}`,
      '/platforms/live_platform/content',
      `${LIST}/${profile.id}/content`,
    ];
  }

  describe('200', () => {
    it('single items and lists carry a weak ETag that is stable while the data is unchanged', async () => {
      for (const path of await paths()) {
        const first = await etagOf(path);
        expect(first).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
        service().clock.advance(1_000);
        const second = await service().get(path);
        expect(second.headers.etag).toBe(first);
      }
    });

    it('the ETag of a single item changes with the item', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const path = `${LIST}/${profile.id}`;
      const first = await etagOf(path);
      await service().load('profiles', { ...profile, description: 'Plays other games' });
      const second = await conditional(path, first);
      expect(second.status).toBe(200);
      expect(second.headers.etag).not.toBe(first);
      await service().load('profiles', profile);
      expect(await etagOf(path)).toBe(first);
    });

    it('the ETag of a list changes with its items, their order, and its paging', async () => {
      const profiles = [aProfile(), aProfile()];
      await service().load('profiles', ...profiles);
      const tags = [await etagOf(LIST), await etagOf(`${LIST}?order=asc`), await etagOf(`${LIST}?limit=2`)];
      await service().load('profiles', aProfile());
      tags.push(await etagOf(LIST), await etagOf(`${LIST}?limit=2`), await etagOf(`${LIST}?limit=1`));
      expect(new Set(tags).size).toBe(tags.length);
    });

    it.each(['"other"', 'W/"other"', '', 'W/', 'nonsense', '"a", W/"b"'])(
      'other tags do not match: %s',
      async (tags) => {
        const [path] = await paths();
        expect((await conditional(present(path), tags)).status).toBe(200);
      },
    );

    it('a tag without its quotes, or in another case, does not match', async () => {
      const [path] = await paths();
      const opaque = (await etagOf(present(path))).slice(3, -1);
      for (const tag of [opaque, `"${opaque.toUpperCase()}x"`, `"${opaque.slice(0, -1)}"`]) {
        expect((await conditional(present(path), tag)).status).toBe(200);
      }
    });

    it('batches are not conditional', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const { status, headers } = await service().post(LIST, { profile_ids: [profile.id] }, { 'if-none-match': '*' });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('etag');
    });
  });

  describe('304', () => {
    it('a matching tag, with or without W/, or in a list: no body, and every header that a cache needs', async () => {
      for (const path of await paths()) {
        const etag = await etagOf(path);
        for (const tags of [etag, etag.slice(2), `"x", ${etag}`, `W/"x",${etag},"y"`, ` ${etag} `]) {
          const { status, bytes, headers } = await conditional(path, tags);
          expect([status, bytes.length]).toEqual([304, 0]);
          expect(headers.etag).toBe(etag);
          expect(headers.vary).toMatch(/accept-encoding/i);
          expect(headers['cache-control']).toBe('private, no-cache');
          expect(headers).toHaveProperty('x-request-id');
          expect(headers).not.toHaveProperty('content-type');
          expect(headers).not.toHaveProperty('content-length');
        }
      }
    });

    it('costs 0 units and 0 credits, and counts as a request', async () => {
      const [path] = await paths();
      const etag = await etagOf(present(path));
      const full = await service().get(present(path));
      const unchanged = await conditional(present(path), etag);
      expect([full.headers['x-quota-units'], full.headers['x-credits']]).toEqual(['1', '0']);
      expect([unchanged.headers['x-quota-units'], unchanged.headers['x-credits']]).toEqual(['0', '0']);
      const remaining = 'x-ratelimit-minute-remaining';
      expect(Number(unchanged.headers[remaining])).toBe(Number(full.headers[remaining]) - 1);
    });

    it('HEAD is conditional, too', async () => {
      const [path] = await paths();
      expect((await conditional(present(path), await etagOf(present(path)), 'HEAD')).status).toBe(304);
      expect((await conditional(present(path), '"other"', 'HEAD')).status).toBe(200);
    });

    it('the same tag is valid for every encoding of the body', async () => {
      const profile = aProfile({ description: 'x'.repeat(3000) });
      await service().load('profiles', profile);
      const path = `${LIST}/${profile.id}`;
      const { headers } = await service().get(path, { 'accept-encoding': 'gzip' });
      expect(headers['content-encoding']).toBe('gzip');
      expect(headers.etag).toBe(await etagOf(path));
      expect((await conditional(path, String(headers.etag))).status).toBe(304);
    });
  });

  describe('errors', () => {
    it.each([
      [404, () => `${LIST}/${uniqueId()}`],
      [400, () => `${LIST}?limit=0`],
    ])('%i: has no tag and is not conditional', async (expected, path) => {
      const { status, headers } = await conditional(path(), '*');
      expect(status).toBe(expected);
      expect(headers).not.toHaveProperty('etag');
    });
  });
});
