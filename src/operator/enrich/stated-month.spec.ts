import { describe, expect, it } from '@jest/globals';
import { statesDate } from './stated-month.js';
import { foldQuote } from './typography.js';

describe('statesDate', () => {
  it.each<[string, number[]]>([
    ['born 3 May 1997', [5]],
    ['born May 3 1997', [5]],
    ['the 3rd of May, 1997', [5]],
    ['Born on Jul 3rd, 1997', [7]],
    ['Sept. 3, 1997', [9]],
    ['3 May 97', [5]],
    ["3 May '97", [5]],
    ['geboren am 3. März 1997', [3]],
    ['nacida el 3 de mayo de 1997', [5]],
    ['né le 3ème mai 1997', [5]],
    ['née le 3 février 1997', [2]],
    ['родилась 3 мая 1997 года', [5]],
    ['ولد في ٣ مايو ١٩٩٧', [5]],
    ['născut pe 3 februarie 1997', [2]],
    ['γεννήθηκα 3 Μαΐου 1997', [5]],
    ['1997. május 3.', [5]],
    ['nascut el 3 de febrer de 1997', [2]],
    ['1997年5月3日生まれ', [5]],
    ['1997년 5월 3일생', [5]],
    ['1997年12月3日', [12]],
    ['sinh ngày 3 tháng 5 năm 1997', [5]],
    ['1997年3月生まれ', []],
    ['born 1997-07-03', [7]],
    ['3.7.1997', [7]],
    ['3. 7. 1997', [7]],
    ['03/05/97', [5]],
    ['19970503', [5]],
    ['3.3.1997', [3]],
    ['3.1997', []],
    ['in May 1997', []],
    ['born in 1997', []],
    ['3rd of the month, 1997', []],
    ['Live 3/7 since 1997', []],
    ['I may play 3 games from 1997', []],
    ['born May 1997, 3 cats', []],
    ['03.1997 - 5', []],
    ['born 3 May 1998, played since 1997', []],
    ['13 May 1997', []],
  ])('finds the 3rd in %j of the months %j in 1997', (text, months) => {
    const all = Array.from({ length: 12 }, (_, index) => index + 1);
    expect(all.filter((month) => statesDate(foldQuote(text), { day: 3, month, year: 1997 }))).toEqual(months);
  });

  it.each([0, 13, 1.5, 19_970_703, 100_000_000, NaN])('finds no date in the month %d', (month) => {
    expect(statesDate('born 3 july 1997', { day: 3, month, year: 1997 })).toBe(false);
  });
});
