import { describe, expect, it } from '@jest/globals';
import { differenceOf } from '../../support/http/difference.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { describeService, type TestService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

/** Texts that a store, an escape or an encoding might change. */
const TEXTS: Record<string, string> = {
  empty: '',
  blanks: '  \t ',
  'line breaks': 'a\nb\r\nc\rd',
  'U+0000': 'a\u0000b\u0000',
  'control characters': '\u0001\u0008\u000b\u001f\u007f\u0085',
  'line separators': 'a\u2028b\u2029c',
  backslashes: '\\ \\\\ \\n \\u0041 \\0',
  quotes: `" ' \` '' "" \\' \\"`,
  'signs of SQL': `%_?:1 $1 -- ; /* */ '; DROP TABLE content; --`,
  'signs of HTML': '</script><!--&amp;&#0;',
  emoji: '😀👩‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'right-to-left': 'שלום \u202eمرحبا\u202c',
  'not composed': 'e\u0301 é',
  'the ends of Unicode': '\ufeff\ufffd\uffff\u{10ffff}',
  long: 'ä☃😀x'.repeat(2_000),
};

/** Returns the bytes of the payload of a single item. */
async function payloadBytes(service: TestService, path: string): Promise<string> {
  const { status, text } = await service.get(path);
  expect(status).toBe(200);
  return text.slice('{"payload":'.length, text.lastIndexOf(',"meta":'));
}

/** So many characters of the payload of a list. */
const textOfPayload = (text: string, length: number): string =>
  text.slice('{"payload":'.length, '{"payload":'.length + length);

describeService('documents', (service) => {
  describe('come back byte for byte as their canonical line', () => {
    it.each(Object.keys(TEXTS))('with %s in every text of a profile', async (name) => {
      const text = present(TEXTS[name]);
      const profile = aProfile({
        display_name: text,
        url: text,
        description: text,
        profile_image: text,
        banner_image: text,
        language: text,
        account_type: text,
      });
      await service().load('profiles', profile);
      const path = `/platforms/live_platform/profiles/${profile.id}`;
      expect(differenceOf(await payloadBytes(service(), path), JSON.stringify(profile))).toBeNull();
    });

    it.each(Object.keys(TEXTS))('with %s in every text of an item', async (name) => {
      const text = present(TEXTS[name]);
      const tag = { id: text, type: 'live_platform_tag', name: text } as const;
      const category = { ...liveGame(uniqueId()), name: text, gamedb_name: text, gamedb_slug: text };
      const chapter = {
        id: text,
        title: text,
        description: text,
        created_at: null,
        ended_at: null,
        duration: null,
        categories: [category],
        tags: [tag],
        statistics: {},
      };
      const item = aContent({
        title: text,
        description: text,
        url: text,
        categories: [category],
        tags: [tag],
        chapters: [chapter],
        profile_id: uniqueId(),
      });
      await service().load('content', item);
      const line = JSON.stringify(item);
      const path = `/platforms/live_platform/content/${item.content_id}`;
      expect(differenceOf(await payloadBytes(service(), path), line)).toBeNull();
      for (const list of [
        await service().get(`/platforms/live_platform/profiles/${item.profile_id}/content`),
        await service().post('/platforms/live_platform/content', { content_ids: [item.content_id] }),
      ]) {
        expect(differenceOf(textOfPayload(list.text, line.length + 2), `[${line}]`)).toBeNull();
      }
    });

    it('one after another in a list', async () => {
      const profile_id = uniqueId();
      const items = Object.values(TEXTS).map((title, index) =>
        aContent({ title, profile_id, created_at: `2026-01-01T00:00:00.0${String(index).padStart(2, '0')}Z` }),
      );
      await service().load('content', ...items);
      const { text } = await service().get(
        `/platforms/live_platform/profiles/${profile_id}/content?order=asc&limit=50`,
      );
      const lines = `[${items.map((item) => JSON.stringify(item)).join(',')}]`;
      expect(differenceOf(textOfPayload(text, lines.length), lines)).toBeNull();
    });

    it('whatever order of members, spaces, escapes and date notations the line had', async () => {
      const profile = aProfile({ display_name: 'é/😀', updated_at: '2026-01-31T09:30:00.500Z', url: null });
      const members = Object.entries(profile).filter(([name]) => name !== 'url');
      const odd = JSON.stringify(
        { ...Object.fromEntries(members.toReversed()), updated_at: '2026-01-31T11:30:00.5+02:00' },
        null,
        ' ',
      )
        .replaceAll('\n', '\t')
        .replace('é/😀', '\\u00e9\\/\\ud83d\\ude00');
      await service().loadLines('profiles', [odd]);
      const path = `/platforms/live_platform/profiles/${profile.id}`;
      expect(differenceOf(await payloadBytes(service(), path), JSON.stringify(profile))).toBeNull();
    });
  });

  describe('numbers', () => {
    it.each([0, 1, -1, 2 ** 31, 2 ** 32 + 1, 3_284_345_133_808_108, 2 ** 53 - 1, -(2 ** 53 - 1)])(
      'Integers are exact up to 2^53 − 1: %d',
      async (count) => {
        const profile = aProfile({ statistics: { followers: count, views_estimated: count } });
        const item = aContent({
          duration: count,
          statistics: {
            viewers: { avg: count, max: count },
            watched_minutes: { sum: count },
            airtime_minutes: { sum: count },
            views: { sum: count },
            likes: { sum: count },
            comments: { sum: count, avg: count },
          },
        });
        await service().load('profiles', profile);
        await service().load('content', item);
        expect(await payloadBytes(service(), `/platforms/live_platform/profiles/${profile.id}`)).toBe(
          JSON.stringify(profile),
        );
        expect(await payloadBytes(service(), `/platforms/live_platform/content/${item.content_id}`)).toBe(
          JSON.stringify(item),
        );
      },
    );

    it.each(['9007199254740992', '-9007199254740992', '9007199254740993', '1e400'])(
      'an integer beyond 2^53 − 1 is rejected, not rounded: %s',
      async (count) => {
        const { rejected } = await service().loadLines('profiles', [
          `{"platform_id":"live_platform","id":"${uniqueId()}","statistics":{"followers":${count}}}`,
        ]);
        expect(rejected).toMatchObject([
          { line: 1, reason: 'statistics.followers must be an integer from -(2^53 - 1) to 2^53 - 1' },
        ]);
      },
    );

    it.each([0.1, 1e21, 5e-324, 1.7976931348623157e308, 123456.789])('averages keep every digit: %d', async (avg) => {
      const item = aContent({ statistics: { viewers: { avg, max: null } } });
      await service().load('content', item);
      const { body } = await service().get(`/platforms/live_platform/content/${item.content_id}`);
      expect(body.payload.statistics.viewers.avg).toBe(avg);
    });
  });

  describe('date-times', () => {
    it.each([
      ['2026-01-31T09:30:00.001Z', '2026-01-31T09:30:00.001Z'],
      ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
      ['2026-01-31T09:30:00.12+05:45', '2026-01-31T03:45:00.120Z'],
      ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
      ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
      ['1900-01-01T00:00:00.000Z', '1900-01-01T00:00:00.000Z'],
      ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('ISO 8601 in UTC with milliseconds: %s is %s', async (given, canonical) => {
      const profile = aProfile({ updated_at: given, last_active_at: given });
      const item = aContent({ created_at: given, ended_at: given, profile_id: uniqueId() });
      await service().load('profiles', profile);
      await service().load('content', item);
      const { payload } = (await service().get(`/platforms/live_platform/profiles/${profile.id}`)).body;
      expect([payload.updated_at, payload.last_active_at]).toEqual([canonical, canonical]);
      const day = canonical.slice(0, 10);
      const { body } = await service().get(
        `/platforms/live_platform/profiles/${item.profile_id}/content?start_date=${day}&end_date=${day}`,
      );
      expect(body.payload).toEqual([{ ...item, created_at: canonical, ended_at: canonical }]);
    });
  });
});
