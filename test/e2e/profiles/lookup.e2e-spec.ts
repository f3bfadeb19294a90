import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const PATH = '/platforms/live_platform/profiles/lookup';

describeService('POST /platforms/{platform}/profiles/lookup', (service) => {
  const lookup = (...handles: unknown[]) => service().post(PATH, { handles });

  describe('200', () => {
    it('`payload`: array of Handle mapping; `meta`: `missing_handles`, `received_at`, and nothing else', async () => {
      const [profile, missing] = [aProfile(), `nobody_${uniqueId()}`];
      await service().load('profiles', profile);
      const { status, body } = await lookup(profile.name, missing);
      expect(status).toBe(200);
      expect(body).toEqual({
        payload: [{ handle: profile.name, id: profile.id }],
        meta: { missing_handles: [missing], received_at: expect.any(String) },
      });
    });

    it('ignores case, and repeats the spelling of the request', async () => {
      const id = uniqueId();
      await service().load('profiles', aProfile({ id, name: `MixedCase_${id}` }));
      for (const handle of [`mixedcase_${id}`, `MIXEDCASE_${id}`, `mixedCASE_${id}`]) {
        expect((await lookup(handle)).body.payload).toEqual([{ handle, id }]);
      }
    });

    it('ignores case and Unicode composition beyond ASCII', async () => {
      const id = uniqueId();
      await service().load('profiles', aProfile({ id, name: `Jos\u00e9Ωж${id}` }));
      for (const handle of [`JOSÉΩЖ${id}`, `jose\u0301ωж${id}`]) {
        expect((await lookup(handle)).body.payload).toEqual([{ handle, id }]);
      }
      expect((await lookup(`joseωж${id}`)).body.meta.missing_handles).toEqual([`joseωж${id}`]);
    });

    it('an item may start with `@`, which the answer omits', async () => {
      const [profile, missing] = [aProfile(), `nobody_${uniqueId()}`];
      await service().load('profiles', profile);
      const { body } = await lookup(`@${profile.name}`, `@${missing}`);
      expect(body.payload).toEqual([{ handle: profile.name, id: profile.id }]);
      expect(body.meta.missing_handles).toEqual([missing]);
    });

    it('removes only one `@`', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      expect((await lookup(`@@${profile.name}`)).body.meta.missing_handles).toEqual([`@${profile.name}`]);
    });

    it('returns each handle once, spelled and ordered as in its first appearance', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      await service().load('profiles', aProfile({ id: a, name: `a${a}` }), aProfile({ id: b, name: `b${b}` }));
      const { body } = await lookup(`@B${b}`, 'X?', `A${a}`, `b${b}`, '@x?', `a${a}`, 'Y%_');
      expect(body.payload).toEqual([
        { handle: `B${b}`, id: b },
        { handle: `A${a}`, id: a },
      ]);
      expect(body.meta.missing_handles).toEqual(['X?', 'Y%_']);
    });

    it('treats %, _ and other pattern characters literally', async () => {
      const id = uniqueId();
      await service().load('profiles', aProfile({ id, name: `p%_\\'"${id}` }));
      expect((await lookup(`P%_\\'"${id}`)).body.payload).toEqual([{ handle: `P%_\\'"${id}`, id }]);
      expect((await lookup(`pxx\\'"${id}`, `%${id}`)).body.payload).toEqual([]);
    });

    it('distinguishes handles that differ in a trailing space', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      expect((await lookup(`${profile.name} `)).body.meta.missing_handles).toEqual([`${profile.name} `]);
    });

    it('returns the profile with the most followers when several have the handle', async () => {
      const name = `shared_${uniqueId()}`;
      const [few, many, unknown] = [3, 9, null].map((followers) =>
        aProfile({ name, statistics: { followers, views_estimated: null } }),
      );
      await service().load('profiles', present(few), present(many), present(unknown));
      expect((await lookup(name)).body.payload).toEqual([{ handle: name, id: present(many).id }]);
    });

    it('follows a profile that changes its handle', async () => {
      const profile = aProfile();
      await service().load('profiles', profile);
      await service().load('profiles', { ...profile, name: `new_${profile.id}` });
      const { body } = await lookup(profile.name, `new_${profile.id}`);
      expect(body.payload).toEqual([{ handle: `new_${profile.id}`, id: profile.id }]);
      expect(body.meta.missing_handles).toEqual([profile.name]);
    });

    it('finds only profiles of the platform in the path, and none without a handle', async () => {
      const elsewhere = aProfile({ platform_id: 'short_platform' });
      await service().load('profiles', elsewhere, aProfile({ name: null }));
      expect((await lookup(elsewhere.name, 'null')).body.payload).toEqual([]);
    });

    it.each([1, 100])('accepts %i items', async (count) => {
      const profiles = Array.from({ length: count }, () => aProfile());
      await service().load('profiles', ...profiles);
      const { status, body } = await lookup(...profiles.map(({ name }) => name));
      expect(status).toBe(200);
      expect(body.payload).toEqual(profiles.map(({ id, name }) => ({ handle: name, id })));
    });
  });

  describe('400', () => {
    it.each([0, 101])('handles must contain between 1 and 100 items: %i', async (count) => {
      const { status, body } = await lookup(...Array.from({ length: count }, () => 'same'));
      expect([status, body.error.message]).toEqual([400, 'handles must contain between 1 and 100 items']);
    });

    it.each([[''], [1], [null], [['a']]])('an item that is not a non-empty string: %j', async (...items) => {
      const { status, body } = await lookup(...items);
      expect([status, body.error.message]).toEqual([400, 'handles must contain only non-empty strings']);
    });

    it('Invalid platform or missing required parameter', async () => {
      for (const [path, sent] of [
        [PATH, {}],
        ['/platforms/gamedb/profiles/lookup', { handles: ['a'] }],
      ] as const) {
        const { status, body } = await service().post(path, sent);
        expect([status, body.error.message]).toEqual([400, 'Invalid platform or missing required parameter']);
      }
    });
  });
});
