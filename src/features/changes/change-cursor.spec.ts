import { describe, expect, it } from '@jest/globals';
import { decodeChangeCursor, encodeChangeCursor, FEED_START } from './change-cursor.js';
import type { Feed } from './feeds.js';

const FEED: Feed = { kind: 'profiles', platform: 'video_platform' };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor of a feed', () => {
  it.each([FEED_START, { revision: 0, key: 'x' }, { revision: 5, key: null }, { revision: 5, key: '☃'.repeat(85) }])(
    'gives back %j',
    (position) => {
      expect(decodeChangeCursor(encodeChangeCursor(FEED, position, 7), FEED, 7, 5)).toEqual(position);
    },
  );

  it.each<Partial<Feed>>([{ kind: 'content' }, { kind: 'games' }, { platform: 'photo_platform' }])(
    'is refused on another feed: %j',
    (other) => {
      const cursor = encodeChangeCursor(FEED, { revision: 1, key: 'x' }, 0);
      expect(() => decodeChangeCursor(cursor, { ...FEED, ...other }, 0, 5)).toThrow('Invalid cursor');
    },
  );

  it.each([
    'x',
    '',
    encoded({}),
    encoded(null),
    encoded(['changes', 'profiles', 1, 0, 1]),
    encoded(['changes', 'profiles', 1, 0, 1, '']),
    encoded(['changes', 'profiles', 1, 0, 1, 2]),
    encoded(['changes', 'profiles', 1, 0, 1, 'x'.repeat(256)]),
    encoded(['changes', 'profiles', 1, 0, 1.5, 'x']),
    encoded(['changes', 'profiles', 1, '0', 1, 'x']),
    encoded(['changes', 'profiles', 1, 0, '1', 'x']),
    encoded(['changes', 'profiles', 1, 0, -2, null]),
    encoded(['changes', 'profiles', 1, 0, 1, 'x', 2]),
    encoded(['profiles', 'profiles', 1, 0, 1, 'x']),
    `${encoded(['changes', 'profiles', 1, 0, 1, 'x'])}=`,
  ])('is refused if it is malformed: %s', (cursor) => {
    expect(() => decodeChangeCursor(cursor, FEED, 0, 5)).toThrow('Invalid cursor');
  });

  it.each([
    ['ahead of the store', 6, 0],
    ['from before a restoration', 1, 3],
  ])('%s is a 410', (_, revision, mark) => {
    const cursor = encodeChangeCursor(FEED, { revision, key: 'x' }, 0);
    expect(() => decodeChangeCursor(cursor, FEED, mark, 5)).toThrow('Cursor is ahead of the store');
  });
});
