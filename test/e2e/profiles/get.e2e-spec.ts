import { describe, expect, it } from '@jest/globals';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

describeService('GET /platforms/{platform}/profiles/{profile_id}', (service) => {
  describe('200', () => {
    it.each(PLATFORMS)('`payload`: Profile; `meta`: `received_at`, and nothing else (%s)', async (platform_id) => {
      const profile = aProfile({ platform_id });
      await service().load('profiles', profile);
      const { status, body } = await service().get(`/platforms/${platform_id}/profiles/${profile.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({ payload: profile, meta: { received_at: expect.any(String) } });
    });

    it('every documented field is present, null when unknown, in the documented order', async () => {
      const id = uniqueId();
      await service().load('profiles', { platform_id: 'live_platform', id });
      const { text, body } = await service().get(`/platforms/live_platform/profiles/${id}`);
      expect(text).toBe(
        `{"payload":{"platform_id":"live_platform","id":"${id}","name":null,"display_name":null,"url":null,` +
          '"description":null,"profile_image":null,"banner_image":null,"language":null,' +
          '"statistics":{"followers":null,"views_estimated":null},"account_type":null,"is_mature":null,' +
          `"updated_at":null,"last_active_at":null},"meta":{"received_at":"${body.meta.received_at}"}}`,
      );
    });

    it('`received_at` is the time of the request, not of the import', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const path = `/platforms/live_platform/profiles/${profile.id}`;
      const first = Date.parse((await service().get(path)).body.meta.received_at);
      service().clock.advance(3_600_000);
      const second = Date.parse((await service().get(path)).body.meta.received_at);
      expect(second - first).toBeGreaterThanOrEqual(3_600_000);
    });

    it('finds each of many concurrently requested profiles', async () => {
      const profiles = Array.from({ length: 60 }, () => aProfile());
      await service().load('profiles', ...profiles);
      const answers = await Promise.all(
        profiles.map(({ id }) => service().get(`/platforms/live_platform/profiles/${id}`)),
      );
      expect(answers.map(({ body }) => body.payload)).toEqual(profiles);
    });
  });

  describe('404', () => {
    it('Unknown profile: `Profile not found`', async () => {
      const { status, body, headers } = await service().get(`/platforms/live_platform/profiles/${uniqueId()}`);
      expect(status).toBe(404);
      expect(body).toEqual({
        error: expect.objectContaining({ status: 404, message: 'Profile not found', code: 'profile_not_found' }),
        meta: { request_id: headers['x-request-id'] },
      });
    });

    it('a profile of another platform is not found', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const { status, body } = await service().get(`/platforms/video_platform/profiles/${profile.id}`);
      expect([status, body.error.message]).toEqual([404, 'Profile not found']);
    });
  });

  describe('400', () => {
    it('Invalid platform, whether or not the profile exists', async () => {
      const { status, body } = await service().get(`/platforms/gamedb/profiles/${uniqueId()}`);
      expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
    });

    it('any other query parameter is rejected as unknown, whether or not the profile exists', async () => {
      const { status, body } = await service().get(`/platforms/live_platform/profiles/${uniqueId()}?limit=1`);
      expect([status, body.error]).toEqual([
        400,
        expect.objectContaining({ message: 'Unknown parameter: limit', allowed: ['include'] }),
      ]);
    });
  });
});
