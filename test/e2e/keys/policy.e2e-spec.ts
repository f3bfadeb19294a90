import { beforeAll, describe, expect, it } from '@jest/globals';
import { hideableMembers, parsePolicy, sensitiveMembers } from '../../../src/model/field-policy.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { Description, OPERATION_IDS, requestOf, sendOperation } from '../../support/openapi/operations.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const HIDEABLE_MEMBERS = hideableMembers();

/** Creates a key whose policy hides these members. */
async function keyWithout(service: TestService, members: string): Promise<{ id: string; key: string }> {
  const issued = await service.newKey(1_000_000);
  await runForJson(service.testDatabase, 'keys', 'policy', issued.id, '--hide', members);
  return issued;
}

describeService("a key's field policy", (service) => {
  let id: string;
  let description: Description;

  beforeAll(async () => {
    description = await Description.of(service());
    id = uniqueId();
    const key = { platform_id: 'live_platform', profile_id: id };
    await service().load('profiles', aProfile({ id, name: id }));
    await service().load('games', { id, name: `Game ${id}`, live_platform_id: id });
    await service().load(
      'content',
      aContent({ content_id: id, profile_id: id, description: 'told', categories: [liveGame(id)] }),
    );
    await service().load('analysis', { ...key, analysis: sampleOf(CREATOR_ANALYSIS) });
    await service().load('audience', { ...key, audience: sampleOf(AUDIENCE_ANALYSIS) });
    await service().load('socials', { ...key, links: [{ id, platform_id: 'video_platform', name: 'ada' }] });
    await service().load('emails', { ...key, email: 'ada@example.com', updated_at: '2026-01-31T09:30:00.000Z' });
  });

  const ask = (operation: string, key?: string, body?: string) =>
    sendOperation(
      service(),
      requestOf(description.operation(operation), id, body === undefined ? {} : { body }),
      key === undefined ? {} : { 'x-api-key': key },
    );
  const payloadOf = async (operation: string, key?: string) => (await ask(operation, key)).body.payload;

  it('leaves the event loop to others while large documents are rewritten', async () => {
    const { key } = await keyWithout(service(), 'description');
    const ids = Array.from({ length: 60 }, (_, nth) => `${id}-large-${nth}`);
    const tags = Array.from({ length: 9000 }, (_, nth) => ({
      id: String(nth),
      type: 'live_platform_tag',
      name: 'Tag',
    }));
    for (const content_id of ids) {
      await service().load('content', { ...aContent({ content_id, profile_id: id }), tags });
    }
    let isOver = false;
    // One after another: a key's large answers wait for each other, on a busy machine for too long.
    const answered = (async () => {
      const answers = [];
      for (let nth = 0; nth < 3; nth += 1) {
        const body = { content_ids: ids };
        const answer = await service().post('/platforms/live_platform/content', body, { 'x-api-key': key });
        answers.push([answer.status, answer.body.payload?.length, answer.body.payload?.[0].description]);
      }
      return answers;
    })().finally(() => (isOver = true));
    let others = 0;
    while (!isOver) {
      expect((await service().get('/health/live')).status).toBe(200);
      others += 1;
    }
    expect(await answered).toEqual(Array(3).fill([200, ids.length, null]));
    expect(others).toBeGreaterThan(ids.length);
  });

  describe('sensitive', () => {
    let key: string;
    beforeAll(async () => {
      ({ key } = await keyWithout(service(), 'sensitive'));
    });

    it('hides only real names, birthday, residence and family of the analysis', async () => {
      const hidden = { birthday: null, residence: null, family: null, real_first_name: null, real_last_name: null };
      const full = await payloadOf('analysis.get');
      expect(Object.keys(hidden).filter((name) => full[name] === null)).toEqual([]);
      expect(await payloadOf('analysis.get', key)).toEqual({ ...full, ...hidden });
    });

    it('empties only religion, ethnicity and family status of the audience', async () => {
      const hidden = { religion_distribution: [], ethnicity_distribution: [], family_status: [] };
      const full = await payloadOf('audience.get');
      expect(Object.keys(hidden).filter((name) => full[name].length === 0)).toEqual([]);
      expect(await payloadOf('audience.get', key)).toEqual({ ...full, ...hidden });
    });

    it('answers null for the e-mail address and its confirmation date', async () => {
      const { status, body } = await ask('email.get', key);
      expect([status, body.payload]).toEqual([200, { email: null, updated_at: '2026-01-31T09:30:00.000Z' }]);
    });

    it('still answers that no address is known', async () => {
      await service().load('profiles', aProfile({ id: `${id}-none` }));
      const { status } = await service().get(`/platforms/live_platform/profiles/${id}-none/email`, {
        'x-api-key': key,
      });
      expect(status).toBe(404);
    });

    it.each(['profiles.get', 'profiles.batch', 'profiles.lookup', 'content.get', 'games.get', 'socials.get'])(
      'does not change %s, which has no such member',
      async (operation) => {
        const { status, body } = await ask(operation, key);
        expect([status, body.payload]).toEqual([200, await payloadOf(operation)]);
      },
    );
  });

  it.each([
    ['profiles.get', 'display_name,url,language'],
    ['profiles.list', 'description'],
    ['profiles.batch', 'description'],
    ['content.get', 'description'],
    ['content.list', 'description'],
    ['content.batch', 'description'],
    ['content.by_profile', 'description'],
    ['content.by_game', 'url'],
  ])('hides in %s exactly the listed members (%s), in every record', async (operation, members) => {
    const { key } = await keyWithout(service(), members);
    const full = [await payloadOf(operation)].flat() as object[];
    const nulls = Object.fromEntries(members.split(',').map((name) => [name, null]));
    expect([await payloadOf(operation, key)].flat()).toEqual(full.map((record) => ({ ...record, ...nulls })));
    expect(full.filter((record) => Object.keys(nulls).every((name) => name in record))).toEqual(full);
  });

  it('hides a member at any depth', async () => {
    const { key } = await keyWithout(service(), 'description');
    const { business } = await payloadOf('analysis.get', key);
    const descriptions = [...business.collaborations, ...business.ventures].map(({ description }) => description);
    expect(descriptions).toEqual([null, null]);
  });

  it.each(OPERATION_IDS)(
    'keeps %s valid against the description with every hideable member hidden',
    async (operation) => {
      const { key } = await keyWithout(service(), HIDEABLE_MEMBERS.join(','));
      // The text that finds the creator would reveal hidden members.
      const { status, body } = await ask(operation, key, operation === 'profiles.search' ? '{}' : undefined);
      expect([status, description.problemsOfSuccess(description.operation(operation), body)]).toEqual([200, []]);
      const shown = HIDEABLE_MEMBERS.filter((name) =>
        new RegExp(`"${name}":(?!null|\\[\\])`).test(JSON.stringify(body)),
      );
      expect(shown).toEqual([]);
    },
  );

  it('accepts all members that earlier versions could hide, and fits into its column with all of them', () => {
    const sensitive = 'birthday,email,ethnicity_distribution,family,family_status,real_first_name,real_last_name';
    expect(sensitiveMembers().join()).toBe(`${sensitive},religion_distribution,residence`);
    const others =
      'account_type,age_range,age_ranges,aliases,appearance,background,banner_image,biography,brand_safety,business,' +
      'channel_type,classifications,community_health,content_formats,countries,description,display_name,' +
      'education_level,engagement_style,gender,gender_distribution,height_in_inches,income_distribution,interests,' +
      'is_mature,language,languages,mpaa,nationality,occupation_distribution,platforms,primary_classification,' +
      'primary_language,profile_image,url';
    expect(HIDEABLE_MEMBERS.join()).toBe(`${sensitiveMembers().join()},${others}`);
    expect(Buffer.byteLength(String(parsePolicy(`sensitive,${HIDEABLE_MEMBERS.join()}`)))).toBeLessThan(2000);
  });

  it('changes no price', async () => {
    const { key } = await keyWithout(service(), 'sensitive');
    for (const operation of ['analysis.get', 'audience.get', 'email.get', 'socials.get'] as const) {
      const [full, hidden] = [(await ask(operation)).headers, (await ask(operation, key)).headers];
      expect([hidden['x-quota-units'], hidden['x-credits']]).toEqual([full['x-quota-units'], full['x-credits']]);
    }
  });

  it('gives answers ETags of their own, which match no other policy', async () => {
    const { key } = await keyWithout(service(), 'sensitive');
    const path = `/platforms/live_platform/profiles/${id}/analysis`;
    const [full, hidden] = [(await ask('analysis.get')).headers.etag, (await ask('analysis.get', key)).headers.etag];
    expect(full).not.toBe(hidden);
    const asked = (tag: string | undefined, headers = {}) =>
      service().get(path, { ...headers, 'if-none-match': String(tag) });
    expect((await asked(full, { 'x-api-key': key })).status).toBe(200);
    expect((await asked(hidden, { 'x-api-key': key })).status).toBe(304);
    expect((await asked(hidden)).status).toBe(200);
  });

  it('does not change the bytes of answers to other keys', async () => {
    const stored = (await ask('analysis.get')).text.replace(/"meta":.*/, '');
    await keyWithout(service(), 'sensitive');
    expect((await ask('analysis.get')).text.replace(/"meta":.*/, '')).toBe(stored);
  });

  describe('keys policy', () => {
    it('takes effect with the next request, in every process, and so does none', async () => {
      const other = await service().startSecond();
      try {
        const issued = await service().newKey();
        const path = `/platforms/live_platform/profiles/${id}/email`;
        const shown = async (where: TestService) =>
          (await where.get(path, { 'x-api-key': issued.key })).body.payload.email as unknown;
        expect([await shown(service()), await shown(other)]).toEqual(['ada@example.com', 'ada@example.com']);
        await runForJson(service().testDatabase, 'keys', 'policy', issued.id, '--hide', 'email');
        expect([await shown(service()), await shown(other)]).toEqual([null, null]);
        const none = await runForJson(service().testDatabase, 'keys', 'policy', issued.id, '--hide', 'none');
        expect(none).toEqual({ id: issued.id, hidden_members: [] });
        expect([await shown(service()), await shown(other)]).toEqual(['ada@example.com', 'ada@example.com']);
      } finally {
        await other.stop();
      }
    });

    it('is shown by keys list, and kept when the key is rotated', async () => {
      const { id: keyId } = await keyWithout(service(), 'biography,sensitive');
      const { key } = await runForJson(service().testDatabase, 'keys', 'rotate', keyId);
      const list: { id: string }[] = await runForJson(service().testDatabase, 'keys', 'list');
      expect(list.find((line) => line.id === keyId)).toMatchObject({
        hidden_members: [...sensitiveMembers(), 'biography'],
      });
      const { out } = await runInProcess(service().testDatabase, 'keys', 'list');
      expect(out.split('\n').find((line) => line.startsWith(keyId))).toMatch(/ sensitive,biography$/);
      expect((await payloadOf('email.get', key)).email).toBeNull();
    });

    it('rejects an unknown member with status 1, and names the known ones', async () => {
      const { id: keyId } = await keyWithout(service(), 'email');
      const { status, err } = await runInProcess(
        service().testDatabase,
        'keys',
        'policy',
        keyId,
        '--hide',
        'email,e_mail',
      );
      expect(status).toBe(1);
      expect(err).toContain('no member "e_mail"');
      for (const name of HIDEABLE_MEMBERS) expect(err).toContain(name);
      const list: { id: string }[] = await runForJson(service().testDatabase, 'keys', 'list');
      expect(list.find((line) => line.id === keyId)).toMatchObject({ hidden_members: ['email'] });
    });
  });
});
