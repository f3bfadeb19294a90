import { describe, expect, it } from '@jest/globals';
import { isTooDeep, MAX_JSON_DEPTH } from './json-depth.js';

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);

describe('isTooDeep', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[1,{"b":null,"a":', '},{}]'],
  ])('counts the levels of %s', (open, close) => {
    const levels = MAX_JSON_DEPTH / open.replaceAll(/[^[{]/g, '').length;
    expect(isTooDeep(nested(levels, open, close))).toBe(false);
    expect(isTooDeep(nested(levels + 1, open, close))).toBe(true);
    expect(isTooDeep(nested(100_000, open, close))).toBe(true);
  });

  it.each([1, 'x', null, undefined, [], {}, Array(1000).fill([[]])])('takes what is not deep: %#', (value) => {
    expect(isTooDeep(value)).toBe(false);
  });
});
