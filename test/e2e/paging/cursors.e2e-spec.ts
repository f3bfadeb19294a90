import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aContent, liveGame, uniqueId } from '../../support/records/builders.js';
import { idOf, listsUnderTest } from '../../support/lists/lists.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const LISTS = listsUnderTest();
type Kind = (typeof LISTS)[number]['kind'];

const text = (cursor: string) => Buffer.from(cursor, 'base64url').toString('utf8');
const token = (content: string | Buffer) => Buffer.from(content).toString('base64url');
const parts = (cursor: string) => JSON.parse(text(cursor)) as [string, string, string, number | null, string];

/** Manipulated cursors that the service never issued. */
const MANIPULATED: Record<string, (cursor: string) => string> = {
  'cut short by one character': (cursor) => cursor.slice(0, -1),
  'cut in half': (cursor) => cursor.slice(0, cursor.length / 2),
  'without its first character': (cursor) => cursor.slice(1),
  'one character longer': (cursor) => `${cursor}A`,
  'padded with =': (cursor) => `${cursor}=`,
  'padded with ==': (cursor) => `${cursor}==`,
  'with a trailing space': (cursor) => `${cursor} `,
  'with a trailing line break': (cursor) => `${cursor}\n`,
  'with a stray character inside': (cursor) => `${cursor.slice(0, 9)}!${cursor.slice(9)}`,
  'twice in a row': (cursor) => cursor + cursor,
  'in upper case': (cursor) => cursor.toUpperCase(),
  'as plain text': text,
  'in hexadecimal': (cursor) => Buffer.from(cursor, 'base64url').toString('hex'),
  'encoded twice': (cursor) => token(cursor),
  'written with spaces': (cursor) => token(text(cursor).replaceAll(',', ', ')),
  'with one more part': (cursor) => token(JSON.stringify([...parts(cursor), 1])),
  'with four parts': (cursor) => token(JSON.stringify(parts(cursor).slice(0, 4))),
  'as an object': (cursor) => token(JSON.stringify(Object.fromEntries(parts(cursor).entries()))),
  'with a value that is text': (cursor) => token(JSON.stringify(parts(cursor).with(3, '1 OR 1=1'))),
  'with a value that is a fraction': (cursor) => token(JSON.stringify(parts(cursor).with(3, 1.5))),
  'with a value beyond 2^53 - 1': (cursor) => token(JSON.stringify(parts(cursor).with(3, 2 ** 53))),
  'with a value beyond numbers': (cursor) => token(text(cursor).replace(/,-?\d+,/, ',1e999,')),
  'with an empty ID': (cursor) => token(JSON.stringify(parts(cursor).with(4, ''))),
  'with an ID of 256 bytes': (cursor) => token(JSON.stringify(parts(cursor).with(4, 'x'.repeat(256)))),
  'with an ID that is a number': (cursor) => token(JSON.stringify(parts(cursor).with(4, 1))),
  'with an ID that is an array': (cursor) => token(JSON.stringify(parts(cursor).with(4, ['x'] as never))),
  'in another Unicode encoding': (cursor) => token(Buffer.from(text(cursor), 'utf16le')),
  'with bytes that are not UTF-8': (cursor) =>
    token(Buffer.concat([Buffer.from(text(cursor)).subarray(0, -2), Buffer.from([0xff, 0x22, 0x5d])])),
};

const NO_CURSORS: readonly string[] = [
  '',
  '0',
  'null',
  'undefined',
  '[]',
  '{}',
  'e30',
  'W10',
  'bnVsbA',
  '..',
  '%00',
  '\u0000',
  '😀',
  '__proto__',
  '-1',
  createHash('sha256').update('no cursor').digest('base64url'),
  'A'.repeat(8000),
  token(`["profiles","updated_at","desc",1,"${'x'.repeat(4000)}"]`),
  token('['.repeat(5000)),
];

describeService('cursors', (service) => {
  const given: Partial<Record<Kind, string>> = {};
  const ask = async (from: TestService, path: string, parameters: Record<string, string>) => {
    const { status, body } = await from.get(`${path}?${new URLSearchParams(parameters).toString()}`);
    return { status, message: body.error?.message as string | undefined, cursor: body.paging?.next_cursor as string };
  };
  const INVALID = { status: 400, message: 'Invalid cursor', cursor: undefined };

  beforeAll(async () => {
    for (const { kind, path, add } of LISTS) {
      await add(
        service(),
        [1, 2, 3].map((day) => ({ id: uniqueId(), at: `2026-01-0${day}T00:00:00.000Z` })),
      );
      given[kind] = (await ask(service(), path, { limit: '2' })).cursor;
    }
  });

  describe.each(LISTS)('of $kind', ({ kind, path }) => {
    const cursor = () => present(given[kind]);

    it('200: an unchanged cursor', async () => {
      expect(await ask(service(), path, { cursor: cursor() })).toEqual({ status: 200, cursor: null });
      expect(await ask(service(), path, { cursor: cursor(), sort: parts(cursor())[1], order: 'desc' })).toEqual({
        status: 200,
        cursor: null,
      });
    });

    it('400: changing the sort order needs a new cursor', async () => {
      expect(await ask(service(), path, { cursor: cursor(), order: 'asc' })).toEqual(INVALID);
    });

    it.each(LISTS.filter((other) => other.kind !== kind))('400: a cursor on the list of $kind', async (other) => {
      expect(await ask(service(), other.path, { cursor: cursor() })).toEqual(INVALID);
    });

    it.each(Object.keys(MANIPULATED))('400: a cursor %s', async (name) => {
      expect(await ask(service(), path, { cursor: present(MANIPULATED[name])(cursor()) })).toEqual(INVALID);
    });

    it('400: a text that was never a cursor', async () => {
      for (const value of NO_CURSORS) expect(await ask(service(), path, { cursor: value })).toEqual(INVALID);
    });

    it('a changed character gives 400 or another position', async () => {
      const changed = Array.from(
        cursor(),
        (character, index) => cursor().slice(0, index) + (character === 'x' ? 'y' : 'x') + cursor().slice(index + 1),
      );
      const answers = await Promise.all(changed.map((value) => ask(service(), path, { cursor: value })));
      // A changed letter inside the position may give another position; every other change is detected.
      for (const { status, message } of answers) {
        expect([
          [200, undefined],
          [400, 'Invalid cursor'],
        ]).toContainEqual([status, message]);
      }
      expect(answers.filter(({ message }) => message === 'Invalid cursor').length).toBeGreaterThan(20);
    });
  });

  it('400: a cursor of another sort of the profile list', async () => {
    const path = '/platforms/short_platform/profiles';
    const { cursor } = await ask(service(), path, { limit: '1', sort: 'followers' });
    expect(await ask(service(), path, { cursor, sort: 'followers' })).toMatchObject({ status: 200 });
    expect(await ask(service(), path, { cursor, sort: 'last_active_at' })).toEqual(INVALID);
    expect(await ask(service(), path, { cursor })).toEqual(INVALID);
  });

  describe.each([
    ['profiles', '/platforms/microblog_platform/profiles'],
    ['content', '/platforms/live_platform/content'],
    ['profile_content', '/platforms/video_platform/profiles/another/content'],
    ['profile_content', '/platforms/photo_platform/profiles/another/content'],
    ['game_content', '/platforms/live_platform/games/another/content'],
    ['game_content', '/platforms/video_platform/games/another/content'],
  ] as const)('of %s on %s', (kind, path) => {
    beforeAll(async () => {
      const categories = [liveGame('another'), { ...liveGame('another'), type: 'video_platform_game' as const }];
      const items = (['live_platform', 'video_platform', 'photo_platform'] as const).map((platform) =>
        aContent({ platform, categories, profile_id: 'another' }),
      );
      await service().load('content', ...items);
    });

    it('400: a cursor of another platform, creator or game', async () => {
      expect(await ask(service(), path, { cursor: present(given[kind]) })).toEqual(INVALID);
    });

    it('200: a cursor of an earlier version, which does not name its platform; the next cursor does', async () => {
      const earlier = token(JSON.stringify(parts(present(given[kind])).slice(0, 5)));
      expect(await ask(service(), path, { cursor: earlier })).toMatchObject({ status: 200 });
    });
  });

  it.each(LISTS)(
    '200: a cursor of an earlier version continues at its position, on the list of $kind',
    async (list) => {
      const [before, after] = [uniqueId(), uniqueId()];
      await list.add(service(), [
        { id: before, at: '2031-01-02T00:00:00.000Z' },
        { id: after, at: '2031-01-01T00:00:00.000Z' },
      ]);
      const { cursor } = await ask(service(), list.path, { limit: '1' });
      const earlier = token(JSON.stringify(parts(cursor).slice(0, 5)));
      const bodies = [cursor, earlier].map(
        async (one) => (await service().get(`${list.path}?limit=1&cursor=${one}`)).body,
      );
      const [expected, body] = await Promise.all(bodies);
      expect(idOf(body.payload[0])).toBe(after);
      expect([body.payload, body.paging]).toEqual([expected.payload, expected.paging]);
      expect(parts(body.paging.next_cursor)).toHaveLength(parts(cursor).length);
      await list.remove(service(), [before, after]);
    },
  );

  it('400: two cursors', async () => {
    const { status, body } = await service().get(
      `${present(LISTS[0]).path}?cursor=${present(given.profiles)}&cursor=${present(given.profiles)}`,
    );
    expect([status, body.error.message]).toEqual([400, 'Parameter given more than once: cursor']);
  });
});
