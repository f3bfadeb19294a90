import { describe, expect, it } from '@jest/globals';
import { nullIfTooLong } from './columns.js';

describe('fitting', () => {
  it.each([
    ['abc', 3],
    ['é', 2],
    ['☃', 3],
    ['😀', 4],
    ['', 0],
  ])('returns %j for a column of %d bytes, and null for one byte more', (text, bytes) => {
    expect(nullIfTooLong(text, bytes)).toBe(text);
    expect(nullIfTooLong(`${text}x`, bytes)).toBeNull();
  });

  it('returns null for null', () => expect(nullIfTooLong(null, 1)).toBeNull());
});
