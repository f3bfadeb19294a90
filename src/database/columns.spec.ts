import { describe, expect, it } from '@jest/globals';
import { fitting } from './columns.js';

describe('a text for a column', () => {
  it.each([
    ['abc', 3],
    ['é', 2],
    ['☃', 3],
    ['😀', 4],
    ['', 0],
  ])('is kept where its bytes fit: %j in %d', (text, bytes) => {
    expect(fitting(text, bytes)).toBe(text);
    expect(fitting(`${text}x`, bytes)).toBeNull();
  });

  it('stays null', () => expect(fitting(null, 1)).toBeNull());
});
