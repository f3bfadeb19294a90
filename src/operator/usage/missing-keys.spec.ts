import { describe, expect, it } from '@jest/globals';
import { describeMissingKeys, findMissingKeys, keyIdsOf } from './missing-keys.js';

describe('findMissingKeys', () => {
  it('returns each key that is not stored once, sorted, and ignores requests without a valid key', () => {
    const lines = ['c', '', 'b', 'a', 'c'].map((id) => ({
      group: [id, 'content.get'],
      requests: 1,
      quota_units: 1,
      credits: 0,
    }));
    expect(findMissingKeys(keyIdsOf(lines), new Set(['b']))).toEqual(['a', 'c']);
    expect(findMissingKeys(['a', ''], new Set(['a']))).toEqual([]);
  });
});

describe('describeMissingKeys', () => {
  it.each([
    [['a'], '1 key with usage is not stored (a)'],
    [['a', 'b', 'c', 'd', 'e'], '5 keys with usage are not stored (a, b, c, d, e)'],
    [['a', 'b', 'c', 'd', 'e', 'f'], '6 keys with usage are not stored (a, b, c, d, e, …)'],
  ])('names the first of %j', (ids, text) => {
    expect(describeMissingKeys(ids)).toBe(text);
  });
});
