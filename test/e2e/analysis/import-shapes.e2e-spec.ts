import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import {
  AUDIENCE_ANALYSIS,
  withMember,
  CREATOR_ANALYSIS,
  membersOf,
  sampleOf,
  WRONG_VALUES,
} from '../../support/records/reference-shapes.js';
import { describeService } from '../../support/service/test-service.js';

const KINDS = [
  { kind: 'analysis', name: 'Creator analysis', shape: CREATOR_ANALYSIS },
  { kind: 'audience', name: 'Audience analysis', shape: AUDIENCE_ANALYSIS },
] as const;

describeService('import of', (service) => {
  describe.each(KINDS)('$kind', ({ kind, name, shape }) => {
    const sample = sampleOf(shape);

    const lineOf = (profileId: string, document: unknown) =>
      JSON.stringify({ platform_id: 'live_platform', profile_id: profileId, [kind]: document });

    /** Imports a document as one line, with a profile for it. @returns the answer */
    const load = async (document: unknown): Promise<unknown> => {
      const profile = aProfile();
      await service().load('profiles', profile);
      const { rejected } = await service().loadLines(kind, [lineOf(profile.id, document)]);
      expect(rejected).toEqual([]);
      return (await service().get(`/platforms/live_platform/profiles/${profile.id}/${kind}`)).body.payload;
    };

    /** Returns the reasons for which these documents are rejected, without the accepted ones. */
    const reasons = async (...documents: unknown[]): Promise<string[]> => {
      const lines = documents.map((document) => lineOf(uniqueId(), document));
      return (await service().loadLines(kind, lines)).rejected.map(({ reason }) => reason);
    };

    it(`returns exactly what was loaded, every row of the table ${name}`, async () => {
      expect(await load(sample)).toEqual(sample);
    });

    it('returns its members in the documented order', async () => {
      const reversed = Object.fromEntries(Object.entries(sample as object).toReversed());
      expect(Object.keys((await load(reversed)) as object)).toEqual(Object.keys(shape));
    });

    it('rejects a line without it', async () => {
      expect(await reasons(undefined, null)).toEqual([`${kind} is missing`, `${kind} must be an object`]);
    });

    const members = membersOf(shape);
    const named = members.filter(({ isElement }) => !isElement);

    it.each(named.filter((member) => !member.nullable && member.kind !== 'array'))(
      '$path is required and must not be null',
      async ({ path }) => {
        expect(await reasons(withMember(sample, path, undefined), withMember(sample, path, null))).toEqual([
          `${kind}.${path} is missing`,
          expect.stringContaining(`${kind}.${path} must be`),
        ]);
      },
    );

    const nullable = named.filter((member) => member.nullable);
    if (nullable.length > 0) {
      it.each(nullable)('$path may be null; omitted means null', async ({ path }) => {
        const withNull = withMember(sample, path, null);
        expect(await load(withNull)).toEqual(withNull);
        expect(await load(withMember(sample, path, undefined))).toEqual(withNull);
      });
    }

    it.each(named.filter((member) => member.kind === 'array'))(
      '$path may be empty; omitted means empty',
      async ({ path }) => {
        const empty = withMember(sample, path, []);
        expect(await load(empty)).toEqual(empty);
        expect(await load(withMember(sample, path, undefined))).toEqual(empty);
      },
    );

    it.each(members)('$path must be of type $kind', async ({ path, kind: type }) => {
      const wrong = WRONG_VALUES[type].map((value) => withMember(sample, path, value));
      expect(await reasons(...wrong)).toEqual(wrong.map(() => expect.stringContaining(`${kind}.${path} must be`)));
    });

    it.each(members.filter((member) => member.isElement))('$path must not be null', async ({ path }) => {
      expect(await reasons(withMember(sample, path, null))).toEqual([
        expect.stringContaining(`${kind}.${path} must be`),
      ]);
    });

    it.each(members.filter((member) => member.kind === 'object'))(
      '$path rejects undocumented members',
      async ({ path }) => {
        expect(await reasons(withMember(sample, `${path}.extra`, 1))).toEqual([
          `unknown member: ${kind}.${path}.extra`,
        ]);
      },
    );

    it('rejects undocumented members', async () => {
      expect(await reasons(withMember(sample, 'extra', 1))).toEqual([`unknown member: ${kind}.extra`]);
    });

    it('keeps integers exact up to 2^53 - 1', async () => {
      const [member] = members.filter(({ kind: type }) => type === 'integer');
      const largest = withMember(sample, String(member?.path), Number.MAX_SAFE_INTEGER);
      expect(await load(largest)).toEqual(largest);
    });

    it('keeps texts unchanged: any script, quotes, line breaks, trailing spaces', async () => {
      const text = ' "Ⅷ" \\ \n\t\u0001 日本語 🎮 é ';
      const [member] = members.filter(({ kind: type }) => type === 'string');
      const changedText = withMember(sample, String(member?.path), text);
      expect(await load(changedText)).toEqual(changedText);
    });
  });

  describe('every kind', () => {
    const DATE = '2026-01-31T09:30:00.000Z';
    const lines = {
      analysis: { updated_at: DATE, analysis: sampleOf(CREATOR_ANALYSIS) },
      audience: { last_updated_at: DATE, audience: sampleOf(AUDIENCE_ANALYSIS) },
      socials: { links: [{ id: 'x', name: 'y', platform_id: 'photo_platform', followers: 1 }] },
      emails: { email: 'a@example.com', updated_at: DATE },
    } as const;
    const line = (kind: keyof typeof lines) => ({
      platform_id: 'live_platform',
      profile_id: uniqueId(),
      ...lines[kind],
    });
    const reasonOf = async (kind: keyof typeof lines, record: object) =>
      (await service().loadLines(kind, [JSON.stringify(record)])).rejected[0]?.reason;

    it.each(Object.keys(lines) as (keyof typeof lines)[])(
      '%s: only platform_id and profile_id are required',
      async (kind) => {
        expect(await reasonOf(kind, line(kind))).toBeUndefined();
        for (const [wrong, reason] of [
          [{ platform_id: undefined }, 'platform_id is missing'],
          [{ platform_id: 'gamedb' }, /^platform_id must be one of/],
          [{ profile_id: undefined }, 'profile_id is missing'],
          [{ profile_id: '' }, 'profile_id must not be empty'],
          [{ profile_id: 7 }, 'profile_id must be a string'],
          [{ extra: 1 }, 'unknown member: extra'],
        ] as const) {
          expect(await reasonOf(kind, { ...line(kind), ...wrong })).toMatch(reason);
        }
      },
    );

    it.each([
      ['analysis', 'updated_at'],
      ['audience', 'last_updated_at'],
      ['emails', 'updated_at'],
    ] as const)('%s: %s is a date-time, null or omitted', async (kind, member) => {
      for (const good of [null, undefined, DATE, '2026-01-31T10:30:00+01:00'])
        expect(await reasonOf(kind, { ...line(kind), [member]: good })).toBeUndefined();
      for (const bad of ['2026-01-31', '2026-02-30T00:00:00Z', 7, ''])
        expect(await reasonOf(kind, { ...line(kind), [member]: bad })).toMatch(`${member} must`);
    });

    it.each([
      ['no id', 'links[0].id is missing', { id: undefined }],
      ['a null id', 'links[0].id must be a string', { id: null }],
      ['a name that is not a text', 'links[0].name must be a string', { name: 7 }],
      ['no platform_id', 'links[0].platform_id is missing', { platform_id: undefined }],
      ['an unknown platform_id', 'links[0].platform_id must be one of', { platform_id: 'elsewhere' }],
      ['followers as text', 'links[0].followers must be an integer', { followers: '1' }],
      ['more followers than 2^53 - 1', 'links[0].followers must be an integer', { followers: 2 ** 53 }],
      ['another member', 'unknown member: links[0].extra', { extra: 1 }],
    ])('socials: rejects a link with %s', async (_, reason, wrong) => {
      const record = line('socials');
      expect(await reasonOf('socials', { ...record, links: [{ ...lines.socials.links[0], ...wrong }] })).toMatch(
        reason,
      );
    });

    it.each([undefined, null, '', 'nobody', 'a@b@c', 7])('emails: rejects the address %j', async (email) => {
      expect(await reasonOf('emails', { ...line('emails'), email })).toMatch(/^email (is missing|must be)/);
    });
  });
});
