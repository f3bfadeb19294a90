import { describe, expect, it } from '@jest/globals';
import { PLATFORMS, type Platform } from '../../../src/model/platforms.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const aLink = (given: object = {}) => ({
  id: uniqueId(),
  name: 'elsewhere',
  platform_id: 'photo_platform',
  followers: 12,
  ...given,
});

/** Creates a profile with links. @returns its path */
async function aCreatorWith(
  service: TestService,
  links: readonly object[],
  platform: Platform = 'live_platform',
): Promise<string> {
  const profile = aProfile({ platform_id: platform });
  await service.load('profiles', profile);
  await service.load('socials', { platform_id: platform, profile_id: profile.id, links });
  return `/platforms/${platform}/profiles/${profile.id}/socials`;
}

describeService('GET /platforms/{platform}/profiles/{profile_id}/socials', (service) => {
  describe('200', () => {
    it.each(PLATFORMS)(
      'returns array of Social link for a profile of %s, in the order they were loaded',
      async (platform) => {
        const links = [aLink(), aLink({ platform_id: 'microblog_platform' }), aLink({ followers: 0 })];
        const { status, body } = await service().get(await aCreatorWith(service(), links, platform));
        expect([status, body.payload]).toEqual([200, links]);
      },
    );

    it('returns null for an unknown name or number of followers', async () => {
      const link = { id: uniqueId(), platform_id: 'photo_platform' };
      const { body } = await service().get(await aCreatorWith(service(), [link]));
      expect(body.payload).toEqual([{ ...link, name: null, followers: null }]);
    });

    it('has source, received_at, request_id in meta, and nothing else', async () => {
      const { body, headers } = await service().get(await aCreatorWith(service(), [aLink()]));
      expect(body.meta).toEqual({
        source: 'database',
        received_at: expect.any(String),
        request_id: headers['x-request-id'],
      });
    });

    it('returns an empty payload for a known profile without links; costs 10 units and no credits', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      for (const path of [
        `/platforms/live_platform/profiles/${profile.id}/socials`,
        await aCreatorWith(service(), []),
      ]) {
        const { status, body, headers } = await service().get(path);
        expect([status, body.payload]).toEqual([200, []]);
        expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['10', '0']);
      }
    });

    it('costs 10 units and 10 credits when social data is returned, however many links', async () => {
      for (const count of [1, 5]) {
        const { headers } = await service().get(
          await aCreatorWith(
            service(),
            Array.from({ length: count }, () => aLink()),
          ),
        );
        expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['10', '10']);
      }
    });

    it('returns only the latest links after they were loaded again', async () => {
      const path = await aCreatorWith(service(), [aLink(), aLink()]);
      const [, , platform_id, , profile_id] = path.split('/');
      const link = aLink();
      await service().load('socials', { platform_id, profile_id, links: [link] });
      expect((await service().get(path)).body.payload).toEqual([link]);
    });
  });

  describe('304', () => {
    it('polling unchanged links is free, and changed links are charged', async () => {
      const path = await aCreatorWith(service(), [aLink()]);
      const { headers } = await service().get(path);
      const same = await service().get(path, { 'if-none-match': String(headers.etag) });
      expect([same.status, same.headers['x-quota-units'], same.headers['x-credits']]).toEqual([304, '0', '0']);
      const [, , platform_id, , profile_id] = path.split('/');
      await service().load('socials', { platform_id, profile_id, links: [aLink()] });
      const changed = await service().get(path, { 'if-none-match': String(headers.etag) });
      expect([changed.status, changed.headers['x-credits']]).toEqual([200, '10']);
    });

    it('polling a profile that still has no links is free as well', async () => {
      const path = await aCreatorWith(service(), []);
      const { headers } = await service().get(path);
      expect((await service().get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    });
  });

  describe('404', () => {
    it('answers Profile not found for an unknown profile, even when links of it were loaded', async () => {
      const profileId = uniqueId();
      await service().load('socials', { platform_id: 'live_platform', profile_id: profileId, links: [aLink()] });
      for (const id of [profileId, uniqueId()]) {
        const { status, body } = await service().get(`/platforms/live_platform/profiles/${id}/socials`);
        expect([status, body.error.message]).toEqual([404, 'Profile not found']);
      }
    });
  });

  describe('400', () => {
    it('rejects an invalid platform and any query parameter', async () => {
      for (const [path, message] of [
        ['/platforms/gamedb/profiles/1/socials', 'Invalid platform or missing required parameter'],
        ['/platforms/live_platform/profiles/1/socials?limit=1', 'Unknown parameter: limit'],
      ] as const) {
        const { status, body } = await service().get(path);
        expect([status, body.error.message]).toEqual([400, message]);
      }
    });
  });
});
