import { describe, expect, it } from '@jest/globals';
import { fitting } from './columns.js';

describe('fitting', () => {
  it.each([
    ['abc', 3],
    ['é', 2],
    ['☃', 3],
    ['😀', 4],
    ['', 0],
  ])('returns %j for a column of %d bytes, and null for one byte more', (text, bytes) => {
    expect(fitting(text, bytes)).toBe(text);
    expect(fitting(`${text}x`, bytes)).toBeNull();
  });

  it('returns null for null', () => expect(fitting(null, 1)).toBeNull());
});
