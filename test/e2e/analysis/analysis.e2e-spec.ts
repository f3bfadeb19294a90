import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { PLATFORMS, type Platform } from '../../../src/model/platforms.js';

const DATE = '2026-01-31T09:30:00.000Z';

/** Differences between the endpoints that return one document of a creator. */
const ENDPOINTS = [
  {
    kind: 'analysis',
    path: 'analysis',
    line: { updated_at: DATE, analysis: sampleOf(CREATOR_ANALYSIS) },
    payload: sampleOf(CREATOR_ANALYSIS),
    changed: { ...(sampleOf(CREATOR_ANALYSIS) as object), aliases: [] },
    meta: ['source', 'received_at', 'request_id'],
    notAvailable: 'Analysis not available',
    cost: ['100', '100'],
  },
  {
    kind: 'audience',
    path: 'audience',
    line: { last_updated_at: DATE, audience: sampleOf(AUDIENCE_ANALYSIS) },
    payload: sampleOf(AUDIENCE_ANALYSIS),
    changed: { ...(sampleOf(AUDIENCE_ANALYSIS) as object), countries: [] },
    meta: ['last_updated_at', 'received_at'],
    notAvailable: 'Audience analysis not available',
    cost: ['100', '100'],
  },
  {
    kind: 'emails',
    path: 'email',
    line: { email: 'business@example.com', updated_at: DATE },
    payload: { email: 'business@example.com', updated_at: DATE },
    changed: { email: 'other@example.com', updated_at: null },
    meta: ['received_at'],
    notAvailable: 'Email not available',
    cost: ['10', '0'],
  },
] as const;

type Endpoint = (typeof ENDPOINTS)[number];

/** Creates a profile with a document. @returns its path */
async function aCreatorWith(
  service: TestService,
  { kind, path, line }: Endpoint,
  platform: Platform = 'live_platform',
  profileId = uniqueId(),
): Promise<string> {
  await service.load('profiles', aProfile({ platform_id: platform, id: profileId }));
  await service.load(kind, { platform_id: platform, profile_id: profileId, ...line });
  return `/platforms/${platform}/profiles/${profileId}/${path}`;
}

for (const endpoint of ENDPOINTS) {
  const { kind, path, payload, meta, cost, notAvailable } = endpoint;
  /** Returns the line that imports a payload for a creator. */
  const lineOf = (document: object): object => (kind === 'emails' ? document : { [kind]: document });

  describeService(`GET /platforms/{platform}/profiles/{profile_id}/${path}`, (service) => {
    describe('200', () => {
      it.each(PLATFORMS)('returns what was loaded for a profile of %s', async (platform) => {
        const { status, body } = await service().get(await aCreatorWith(service(), endpoint, platform));
        expect([status, body.payload]).toEqual([200, payload]);
      });

      it(`has ${meta.join(', ')} in meta, and nothing else`, async () => {
        const { body, headers } = await service().get(await aCreatorWith(service(), endpoint));
        expect(Object.keys(body)).toEqual(['payload', 'meta']);
        const known = {
          source: 'database',
          received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
          request_id: headers['x-request-id'],
          last_updated_at: DATE,
        };
        expect(Object.entries(body.meta)).toEqual(meta.map((name) => [name, known[name]]));
      });

      it(`costs ${cost[0]} units and ${cost[1]} credits`, async () => {
        const { headers } = await service().get(await aCreatorWith(service(), endpoint));
        expect([headers['x-quota-units'], headers['x-credits']]).toEqual(cost);
      });

      it('returns only the latest record after it was loaded again, even without a date', async () => {
        const profileId = uniqueId();
        const url = await aCreatorWith(service(), endpoint, 'live_platform', profileId);
        await service().load(kind, {
          platform_id: 'live_platform',
          profile_id: profileId,
          ...lineOf(endpoint.changed),
        });
        const { body } = await service().get(url);
        expect(body.payload).toEqual(endpoint.changed);
        expect(body.meta.last_updated_at ?? null).toBeNull();
      });

      it('distinguishes profiles bytewise and by platform', async () => {
        const id = uniqueId();
        await aCreatorWith(service(), endpoint, 'live_platform', `${id}a`);
        await service().load(
          'profiles',
          aProfile({ id: `${id}A` }),
          aProfile({ platform_id: 'short_platform', id: `${id}a` }),
        );
        for (const other of [`live_platform/profiles/${id}A`, `short_platform/profiles/${id}a`]) {
          expect((await service().get(`/platforms/${other}/${path}`)).body.error.message).toBe(notAvailable);
        }
      });
    });

    describe('304', () => {
      it('polling an unchanged record is free: 0 units and 0 credits', async () => {
        const url = await aCreatorWith(service(), endpoint);
        const { headers } = await service().get(url);
        expect(headers.etag).toMatch(/^W\/"/);
        for (const tag of [String(headers.etag), `"x", ${headers.etag}`]) {
          const again = await service().get(url, { 'if-none-match': tag });
          expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
          expect([again.headers['x-quota-units'], again.headers['x-credits']]).toEqual(['0', '0']);
        }
      });

      it('is charged again as soon as it has changed', async () => {
        const profileId = uniqueId();
        const url = await aCreatorWith(service(), endpoint, 'live_platform', profileId);
        const { headers } = await service().get(url);
        await service().load(kind, {
          platform_id: 'live_platform',
          profile_id: profileId,
          ...lineOf(endpoint.changed),
        });
        const changed = await service().get(url, { 'if-none-match': String(headers.etag) });
        expect([changed.status, changed.headers['x-quota-units'], changed.headers['x-credits']]).toEqual([
          200,
          ...cost,
        ]);
      });
    });

    describe('404', () => {
      it('answers Profile not found for an unknown profile', async () => {
        const { status, body } = await service().get(`/platforms/live_platform/profiles/${uniqueId()}/${path}`);
        expect([status, body.error]).toEqual([
          404,
          expect.objectContaining({ status: 404, message: 'Profile not found', code: 'profile_not_found' }),
        ]);
      });

      it('answers Profile not found when the record is loaded but the profile is not', async () => {
        const profileId = uniqueId();
        await service().load(kind, { platform_id: 'live_platform', profile_id: profileId, ...endpoint.line });
        const { status, body } = await service().get(`/platforms/live_platform/profiles/${profileId}/${path}`);
        expect([status, body.error.message]).toEqual([404, 'Profile not found']);
      });

      it(`answers ${notAvailable} for a known profile without it; costs units but no credits`, async () => {
        const profile = aProfile();
        await service().load('profiles', profile);
        const { status, body, headers } = await service().get(
          `/platforms/live_platform/profiles/${profile.id}/${path}`,
        );
        expect([status, body.error.message]).toEqual([404, notAvailable]);
        expect([headers['x-quota-units'], headers['x-credits']]).toEqual([cost[0], '0']);
      });
    });

    describe('400', () => {
      it.each(['gamedb', 'LIVE_PLATFORM', 'nowhere'])('rejects the platform %s', async (platform) => {
        const { status, body, headers } = await service().get(`/platforms/${platform}/profiles/1/${path}`);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
        expect(headers['x-quota-units']).toBe('0');
      });

      it('rejects any query parameter', async () => {
        const { status, body } = await service().get(`/platforms/live_platform/profiles/1/${path}?fields=all`);
        expect([status, body.error.message]).toEqual([400, 'Unknown parameter: fields']);
      });
    });
  });
}
