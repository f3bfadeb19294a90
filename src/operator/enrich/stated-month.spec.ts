import { describe, expect, it } from '@jest/globals';
import { foldText } from './creator-input.js';
import { statesMonth } from './stated-month.js';

describe('statesMonth', () => {
  it.each<[string, number[]]>([
    ['born 3 May 1997', [5]],
    ['Born on Jul 3rd, 1997', [7]],
    ['geboren am 3. März 1997', [3]],
    ['nacida el 3 de mayo de 1997', [5]],
    ['родилась 3 мая 1997', [5]],
    ['1997年5月3日生まれ', [5]],
    ['born 1997-07-03', [3, 7]],
    ['3.7.1997', [3, 7]],
    ['born in 1997', []],
    ['3rd of the month, 1997', []],
  ])('%s', (text, months) => {
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(all.filter((month) => statesMonth(foldText(text), month))).toEqual(months);
  });
});
