import { describe, expect, it } from '@jest/globals';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { idOf } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';
import { present } from '../../support/present.js';

const profilePath = (id: string) => `/platforms/live_platform/profiles/${encodeURIComponent(id)}`;
const contentPath = (id: string) => `/platforms/live_platform/content/${encodeURIComponent(id)}`;

/** IDs that stay distinct only if nothing folds, trims, pads or interprets them. */
const ODD: Record<string, (unique: string) => string> = {
  'a trailing space': (unique) => `${unique} `,
  'two trailing spaces': (unique) => `${unique}  `,
  'a leading space': (unique) => ` ${unique}`,
  'a tab': (unique) => `${unique}\t`,
  'a line break': (unique) => `${unique}\n`,
  'a carriage return and line break inside': (unique) => `a\r\nb${unique}`,
  'lower case': (unique) => `dQw4w9WgXcQ${unique}`,
  'upper case': (unique) => `DQW4W9WGXCQ${unique}`,
  'an accent': (unique) => `é${unique}`,
  'an accent of its own': (unique) => `e\u0301${unique}`,
  'no accent': (unique) => `e${unique}`,
  'a sharp s': (unique) => `ß${unique}`,
  'a double s': (unique) => `ss${unique}`,
  'an emoji': (unique) => `😀${unique}`,
  'an emoji joined of several': (unique) => `👩‍👩‍👧${unique}`,
  'right-to-left letters': (unique) => `שלום${unique}مرحبا`,
  'a direction mark': (unique) => `\u202e${unique}`,
  'a slash': (unique) => `a/b/${unique}`,
  'two dots and a slash': (unique) => `../${unique}`,
  'a backslash': (unique) => `a\\b${unique}\\`,
  quotes: (unique) => `'"\`${unique}'`,
  'signs of SQL patterns': (unique) => `%_?*${unique}%`,
  'what SQL might run': (unique) => `${unique}'; DROP TABLE profiles; --`,
  'signs of addresses': (unique) => `?&=#+;:@,${unique}`,
  'a percent escape as text': (unique) => `%2F${unique}%00`,
  'a byte order mark': (unique) => `\ufeff${unique}`,
  'line separators': (unique) => `\u2028${unique}\u2029`,
  'a replacement character': (unique) => `\ufffd${unique}`,
  'the highest character': (unique) => `\u{10ffff}${unique}`,
  'a control character': (unique) => `\u0001${unique}\u007f`,
  'a zero-width space': (unique) => `${unique}\u200b`,
  'a leading zero': (unique) => `0${unique}`,
  'a number with a fraction': (unique) => `${unique}.0`,
};

describeService('IDs', (service) => {
  describe('are opaque, case-sensitive, compared bytewise', () => {
    it.each(Object.keys(ODD))('single, batch and list requests distinguish %s from all others', async (name) => {
      const unique = uniqueId();
      const id = present(ODD[name])(unique);
      const others = Object.values(ODD)
        .map((make) => make(unique))
        .filter((other) => other !== id);
      await service().load('profiles', ...others.map((other) => aProfile({ id: other, name: null })));
      expect((await service().get(profilePath(id))).body.error?.message).toBe('Profile not found');

      const profile = aProfile({ id, name: null });
      await service().load('profiles', profile);
      expect((await service().get(profilePath(id))).body.payload).toEqual(profile);
      const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: [...others, id] });
      expect(body.payload.map(idOf)).toEqual([...others, id]);
      expect(body.meta.missing_ids).toEqual([]);
    });

    it.each(Object.keys(ODD))('content and the content of a profile distinguish %s from all others', async (name) => {
      const unique = uniqueId();
      const ids = Object.values(ODD).map((make) => make(unique));
      const id = present(ODD[name])(unique);
      await service().load('content', ...ids.map((own) => aContent({ content_id: own, profile_id: own })));
      expect((await service().get(contentPath(id))).body.payload.content_id).toBe(id);
      const { body } = await service().get(`${profilePath(id)}/content`);
      expect(body.payload.map(idOf)).toEqual([id]);
      expect(body.meta.profile_id).toBe(id);
    });

    it('paging returns all of them, in the order of their bytes', async () => {
      const unique = uniqueId();
      const ids = Object.values(ODD).map((make) => make(unique));
      await service().load('content', ...ids.map((content_id) => aContent({ content_id, profile_id: unique })));
      const walked = await service().walk(`${profilePath(unique)}/content`, { order: 'asc', limit: '3' });
      expect(walked.map(idOf)).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    });
  });

  describe('of 255 bytes', () => {
    it.each(['x', 'é', '☃', '😀'])('are found, longer ones are not found (%s)', async (character) => {
      const unique = uniqueId();
      const room = 255 - unique.length;
      const size = Buffer.byteLength(character);
      const id = unique + character.repeat(Math.floor(room / size)) + 'a'.repeat(room % size);
      expect(Buffer.byteLength(id)).toBe(255);
      await service().load('profiles', aProfile({ id, name: null }));
      await service().load('content', aContent({ content_id: id, profile_id: id }));
      expect((await service().get(profilePath(id))).status).toBe(200);
      expect((await service().get(contentPath(id))).status).toBe(200);
      expect((await service().get(`${profilePath(id)}/content`)).body.payload).toHaveLength(1);

      const longer = `${id}a`;
      expect((await service().get(profilePath(longer))).status).toBe(404);
      expect((await service().get(contentPath(longer))).status).toBe(404);
      expect((await service().get(`${profilePath(longer)}/content`)).status).toBe(404);
      const { body } = await service().post('/platforms/live_platform/profiles', { profile_ids: [longer, id] });
      expect(body.meta.missing_ids).toEqual([longer]);
    });

    it('are the longest that load: one byte more is rejected with a reason', async () => {
      const line = JSON.stringify(aProfile({ id: 'x'.repeat(256), name: null }));
      const { rejected } = await service().loadLines('profiles', [line]);
      expect(rejected).toEqual([{ line: 1, reason: 'id must have at most 255 bytes in UTF-8', text: line }]);
    });
  });

  describe('that cannot exist', () => {
    it.each(['\u0000', `${uniqueId()}\u0000`, 'x'.repeat(5000)])('are not found (%#)', async (id) => {
      expect((await service().get(profilePath(id))).body.error.message).toBe('Profile not found');
      expect((await service().get(contentPath(id))).body.error.message).toBe('Content not found');
      expect((await service().get(`${profilePath(id)}/content`)).body.error.message).toBe('Profile not found');
      const { status, body } = await service().post('/platforms/live_platform/content', { content_ids: [id] });
      expect([status, body.meta.missing_ids]).toEqual([200, [id]]);
    });

    it('an unpaired surrogate in a batch is missing, even when its replacement character exists', async () => {
      const unique = uniqueId();
      await service().load('profiles', aProfile({ id: `${unique}\ufffd`, name: null }));
      const { status, text } = await service().post(
        '/platforms/live_platform/profiles',
        `{"profile_ids":["${unique}\\ud800"]}`,
      );
      expect(status).toBe(200);
      expect(text).toContain(`"payload":[],"meta":{"missing_ids":["${unique}\\ud800"]`);
    });

    it.each([
      ['profiles', aProfile({ id: 'a\u0000' }), 'id must not contain the character U+0000'],
      ['profiles', aProfile({ name: 'a\u0000b' }), 'name must not contain the character U+0000'],
      ['profiles', aProfile({ id: '' }), 'id must not be empty'],
      ['content', aContent({ content_id: '\u0000' }), 'content_id must not contain the character U+0000'],
      ['content', aContent({ profile_id: 'a\u0000' }), 'profile_id must not contain the character U+0000'],
      ['content', aContent({ profile_id: '' }), 'profile_id must not be empty'],
    ] as const)('are rejected with a reason by the import: %s %#', async (kind, record, reason) => {
      const { outcome, rejected } = await service().loadLines(kind, [JSON.stringify(record)]);
      expect(outcome).toEqual({ lines: 1, loaded: 0, rejected: 1 });
      expect(rejected).toEqual([{ line: 1, reason, text: JSON.stringify(record) }]);
    });
  });
});
