import { expect, it } from '@jest/globals';
import { PLATFORMS } from '../../../src/model/platforms.js';
import { ANALYSIS, loadOneOfEach } from '../../support/openapi/operations.js';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';

const NOTHING = { analysis: false, audience: false, socials: false, email: false };
const EVERYTHING = { analysis: true, audience: true, socials: true, email: true };

const pathOf = (id: string, platform = 'live_platform') => `/platforms/${platform}/profiles/${id}?include=available`;

describeService('GET /platforms/{platform}/profiles/{profile_id}?include=available', (service) => {
  const availableFor = async (id: string, key?: string) => {
    const { status, body } = await service().get(pathOf(id), key === undefined ? {} : { 'x-api-key': key });
    expect(status).toBe(200);
    return body.meta.available;
  };

  it('adds `meta.available` to the answer without it, at the same cost', async () => {
    const id = await loadOneOfEach(service());
    const plain = await service().get(`/platforms/live_platform/profiles/${id}`);
    const { status, body, headers } = await service().get(pathOf(id));
    expect([status, body]).toEqual([
      200,
      { payload: plain.body.payload, meta: { received_at: expect.any(String), available: EVERYTHING } },
    ]);
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['1', '0']);
  });

  it.each(PLATFORMS)('is false for what is not stored, and for what another platform has (%s)', async (platform_id) => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ platform_id, id }));
    const other = PLATFORMS.find((name) => name !== platform_id);
    await service().load('emails', { platform_id: other, profile_id: id, email: 'ada@example.com' });
    expect((await service().get(pathOf(id, platform_id))).body.meta.available).toEqual(NOTHING);
  });

  it('tells each document alone, and is false for socials without links', async () => {
    const of = async (kind: 'analysis' | 'socials' | 'emails', rest: object) => {
      const id = uniqueId();
      await service().load('profiles', aProfile({ id }));
      await service().load(kind, { platform_id: 'live_platform', profile_id: id, ...rest });
      return availableFor(id);
    };
    expect(await of('analysis', { analysis: ANALYSIS })).toEqual({ ...NOTHING, analysis: true });
    expect(await of('emails', { email: 'ada@example.com' })).toEqual({ ...NOTHING, email: true });
    expect(await of('socials', { links: [{ id: 'x', platform_id: 'video_platform' }] })).toEqual({
      ...NOTHING,
      socials: true,
    });
    expect(await of('socials', { links: [] })).toEqual(NOTHING);
  });

  it('agrees with what the requests for the documents find, for many creators at once', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => loadOneOfEach(service())));
    const bare = Array.from({ length: 20 }, () => aProfile());
    await service().load('profiles', ...bare);
    const all = [...ids, ...bare.map(({ id }) => id)];
    const answers = await Promise.all(all.map((id) => availableFor(id)));
    expect(answers).toEqual([...ids.map(() => EVERYTHING), ...bare.map(() => NOTHING)]);
  });

  it.each(['email', 'sensitive'])('is false for an address that the policy %s hides', async (policy) => {
    const id = await loadOneOfEach(service());
    const { id: keyId, key } = await service().newKey();
    await runForJson(service().testDatabase, 'keys', 'policy', keyId, '--hide', policy);
    expect(await availableFor(id, key)).toEqual({ ...EVERYTHING, email: false });
    const bare = aProfile();
    await service().load('profiles', bare);
    expect(await availableFor(bare.id, key)).toEqual(NOTHING);
  });

  it('has a tag of its own, which changes when a document is loaded', async () => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id }));
    const tagOf = async (path: string) => String((await service().get(path)).headers.etag);
    const tag = await tagOf(pathOf(id));
    expect(await tagOf(`/platforms/live_platform/profiles/${id}`)).not.toBe(tag);
    const ask = () => service().get(pathOf(id), { 'if-none-match': tag });
    const unchanged = await ask();
    expect([unchanged.status, unchanged.headers['x-quota-units']]).toEqual([304, '0']);
    await service().load('emails', { platform_id: 'live_platform', profile_id: id, email: 'ada@example.com' });
    const changed = await ask();
    expect([changed.status, changed.body.meta.available.email]).toEqual([200, true]);
  });

  it('404: an unknown profile, even if documents about it are stored', async () => {
    const id = uniqueId();
    await service().load('emails', { platform_id: 'live_platform', profile_id: id, email: 'ada@example.com' });
    const { status, body, headers } = await service().get(pathOf(id));
    expect([status, body.error.code, headers['x-quota-units']]).toEqual([404, 'profile_not_found', '1']);
  });

  it.each([
    ['include=creators', 'invalid_parameter', 'include must be one of available', ['available']],
    ['include=', 'invalid_parameter', 'include must be one of available', ['available']],
    ['include[a]=available', 'unknown_parameter', 'Unknown parameter: include[a]', ['include']],
    ['include=available&include=available', 'repeated_parameter', 'Parameter given more than once: include', undefined],
    ['available=true', 'unknown_parameter', 'Unknown parameter: available', ['include']],
  ])('400: %s', async (query, code, message, allowed) => {
    const { status, body, headers } = await service().get(`/platforms/live_platform/profiles/${uniqueId()}?${query}`);
    expect([status, body.error, headers['x-quota-units']]).toEqual([
      400,
      expect.objectContaining({ code, message, ...(allowed === undefined ? {} : { allowed }) }),
      '0',
    ]);
  });

  it.each(['search?text=pixel', 'lookup?handles=pixel'])(
    '400: GET profiles/%s, with a hint to send a POST',
    async (path) => {
      const { status, body } = await service().get(`/platforms/live_platform/profiles/${path}`);
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'unknown_parameter', hint: expect.stringContaining('POST') },
      ]);
    },
  );

  it('an empty query is no query', async () => {
    const profile = aProfile();
    await service().load('profiles', profile);
    const { status, body } = await service().get(`/platforms/live_platform/profiles/${profile.id}?`);
    expect([status, Object.keys(body.meta)]).toEqual([200, ['received_at']]);
  });
});
