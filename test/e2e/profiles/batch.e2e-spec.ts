import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const PATH = '/platforms/live_platform/profiles';

describeService('POST /platforms/{platform}/profiles', (service) => {
  describe('200', () => {
    it('`payload`: array of Profile for the IDs found; `meta`: `missing_ids`, `received_at`, and nothing else', async () => {
      const [profile, missing] = [aProfile(), uniqueId()];
      await service().load('profiles', profile);
      const { status, body } = await service().post(PATH, { profile_ids: [missing, profile.id] });
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [profile],
        meta: { missing_ids: [missing], received_at: expect.any(String) },
      });
    });

    it('does not fail for unknown IDs: it lists them in `meta.missing_ids`', async () => {
      const missing = [uniqueId(), uniqueId()];
      const { status, body } = await service().post(PATH, { profile_ids: missing });
      expect(status).toBe(200);
      expect(body.payload).toEqual([]);
      expect(body.meta.missing_ids).toEqual(missing);
    });

    it('answers repeated IDs once, found and missing ones in the order of their first appearance', async () => {
      const [a, b] = [aProfile(), aProfile()];
      const [x, y] = [uniqueId(), uniqueId()];
      await service().load('profiles', a, b);
      const { body } = await service().post(PATH, { profile_ids: [y, b.id, x, y, a.id, b.id, x] });
      expect(body.payload).toEqual([b, a]);
      expect(body.meta.missing_ids).toEqual([y, x]);
    });

    it.each([1, 100])('accepts %i items', async (count) => {
      const profiles = Array.from({ length: count }, () => aProfile());
      await service().load('profiles', ...profiles);
      const { status, body } = await service().post(PATH, { profile_ids: profiles.map(({ id }) => id) });
      expect(status).toBe(200);
      expect(body.payload).toEqual(profiles);
      expect(body.meta.missing_ids).toEqual([]);
    });

    it('finds only profiles of the platform in the path', async () => {
      const profile = aProfile({ platform_id: 'video_platform' });
      await service().load('profiles', profile);
      const { body } = await service().post(PATH, { profile_ids: [profile.id] });
      expect(body.meta.missing_ids).toEqual([profile.id]);
    });

    it('returns to each of many concurrent batches its own profiles, in its own order', async () => {
      const live = Array.from({ length: 40 }, () => aProfile());
      // The other platform has different data under the same IDs.
      const video = live.map(({ id }) => aProfile({ platform_id: 'video_platform', id }));
      await service().load('profiles', ...live, ...video);
      await Promise.all(
        Array.from({ length: 24 }, async (_, at) => {
          const missing = uniqueId();
          const own = (at % 3 === 0 ? video : live).filter((_profile, index) => (index + at) % 4 !== 0);
          if (at % 2 === 0) own.reverse();
          const path = at % 3 === 0 ? '/platforms/video_platform/profiles' : PATH;
          const { body } = await service().post(path, { profile_ids: [missing, ...own.map(({ id }) => id)] });
          expect(body.payload).toEqual(own);
          expect(body.meta.missing_ids).toEqual([missing]);
        }),
      );
    });

    it.each(['\ud800', '\0', '"', "'", '\\', '][', '\u2028', '%', '\u{1F600}'])(
      'looks up an ID literally, with any characters: %j',
      async (odd) => {
        const profile = aProfile();
        await service().load('profiles', profile);
        const ids = [`${profile.id}${odd}`, `${odd}${profile.id}`, profile.id];
        const { status, body } = await service().post(PATH, { profile_ids: ids });
        expect(status).toBe(200);
        expect(body.payload).toEqual([profile]);
        expect(body.meta.missing_ids).toHaveLength(2);
      },
    );

    it('accepts a Content-Type with parameters and in any case', async () => {
      const body = { profile_ids: [uniqueId()] };
      for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
        expect((await service().post(PATH, body, { 'content-type': type })).status).toBe(200);
      }
    });
  });

  describe('400', () => {
    it.each([0, 101])('profile_ids must contain between 1 and 100 items: %i', async (count) => {
      const profile_ids = Array.from({ length: count }, () => 'same');
      const { status, body } = await service().post(PATH, { profile_ids });
      expect([status, body.error.message]).toEqual([400, 'profile_ids must contain between 1 and 100 items']);
    });

    it.each([[''], [1], [null], [true], [['1']], [{ id: '1' }], ['1', ''], ['1', null]])(
      'an item that is not a non-empty string: %j',
      async (...items) => {
        const { status, body } = await service().post(PATH, { profile_ids: items });
        expect([status, body.error.message]).toEqual([400, 'profile_ids must contain only non-empty strings']);
      },
    );

    it.each(['1', 1, null, {}, { length: 1, 0: '1' }, true])(
      'profile_ids that is not an array: %j',
      async (profile_ids) => {
        const { status, body } = await service().post(PATH, { profile_ids });
        expect([status, body.error.message]).toEqual([400, 'profile_ids must be an array of strings']);
      },
    );

    it('Invalid platform or missing required parameter', async () => {
      for (const [path, sent] of [
        [PATH, {}],
        ['/platforms/nowhere/profiles', { profile_ids: ['1'] }],
      ] as const) {
        const { status, body } = await service().post(path, sent);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
      }
    });
  });
});
