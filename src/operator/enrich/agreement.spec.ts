import { describe, expect, it } from '@jest/globals';
import { compare } from './agreement.js';

describe('compare', () => {
  it.each<[unknown, unknown, number]>([
    [null, null, 1],
    ['unknown', null, 1],
    ['Female', 'female', 1],
    ['female', null, 0],
    [['a', 'b'], ['b', 'a'], 1],
    [['a', 'b', 'c'], ['b', 'd'], 0.25],
    [{ rating: 'PG', reason: 'x' }, { rating: 'PG', reason: 'y' }, 1],
    [[{ interest: 'Tea', strength_rating: 3 }], [{ interest: 'tea', strength_rating: 9 }], 1],
    [{ city: 'Lisbon', state: 'unknown' }, { city: 'Lisbon', state: 'x' }, 0.5],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(compare(a, b)).toBe(expected);
  });
});
