import { describe, expect, it } from '@jest/globals';
import { foldText } from './creator-input.js';
import { statesDay } from './stated-month.js';

describe('statesDay', () => {
  it.each<[string, number[]]>([
    ['born 3 May 1997', [5]],
    ['Born on Jul 3rd, 1997', [7]],
    ['geboren am 3. März 1997', [3]],
    ['nacida el 3 de mayo de 1997', [5]],
    ['родилась 3 мая 1997', [5]],
    ['1997年5月3日生まれ', [5]],
    ['1997年3月生まれ', []],
    ['born 1997-07-03', [7]],
    ['3.7.1997', [7]],
    ['3.3.1997', [3]],
    ['3.1997', []],
    ['in May 1997', []],
    ['born in 1997', []],
    ['3rd of the month, 1997', []],
  ])('finds the 3rd in %j of the months %j', (text, months) => {
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(all.filter((month) => statesDay(foldText(text), 3, month))).toEqual(months);
  });

  it.each([0, 13, 1.5, 19_970_703, 100_000_000, NaN])('finds no day in the month %d', (month) => {
    expect(statesDay('born 3 july 1997', 3, month)).toBe(false);
  });
});
