import { describe, expect, it } from '@jest/globals';
import { parseAgeRange, statesAge } from './stated-age.js';
import { foldQuote } from './typography.js';

describe('statesAge', () => {
  it.each([
    ["I'm 23", '18-24', true],
    ['23yo', '18-24', true],
    ['23F', '18-24', true],
    ['23歳', '18-24', true],
    ['二十三歳です', '18-24', true],
    ['今年二十三岁', '18-24', true],
    ['عمري ٢٣', '18-24', true],
    ['31-year-old mom', '25-34', true],
    ['Mara, 23', '18-24', true],
    ['(23)', '18-24', true],
    ['thirty-two years old', '25-34', true],
    ['nineteen years old', '18-24', true],
    ['in my late 20s', '25-34', true],
    ['mid-twenties', '25-34', true],
    ['mid-twenties', '18-24', true],
    ['late twenties', '18-24', false],
    ['年齢：29', '25-34', true],
    ['30代主婦', '30-39', true],
    ['born 3 May 1998', '25-34', true],
    ['03.05.1998', '25-34', true],
    ['5.1998', '25-34', true],
    ["class of '98", '25-34', true],
    ['27/M/UK', '25-34', true],
    ['M/27', '25-34', true],
    ['a 40-something dad', '35-44', true],
    ['95后', '25-34', true],
    ['94年生', '25-34', true],
    ['born in 2001', '25-34', true],
    ['born in 2003', '25-34', false],
    ['I am 70', '65+', true],
    ['24 year old girl', '18-24', true],
    ['mom of a 13-year-old daughter', '13-17', false],
    ['my 14 yo son', '13-17', false],
    ['Top 10 games', '13-17', false],
    ['Top 25 games of all time', '25-34', false],
    ['#25', '25-34', false],
    ['Live 24/7', '18-24', false],
    ['20 viewers on average', '18-24', false],
    ['20% off', '18-24', false],
    ['20k subscribers', '18-24', false],
    ['Playing FIFA 23', '18-24', false],
    ['Farming Simulator 22!', '18-24', false],
    ['25. 12. 2020', '25-34', false],
    ['18+ only', '18-24', false],
    ['2026-01-25', '25-34', false],
    ['since 2019', '18-24', false],
    ['Gaming since 1998', '25-34', false],
    ['Spiele seit 1998', '25-34', false],
    ['играю с 1998', '25-34', false],
    ['I am 29', '30-39', false],
    ['I am 29', '0-99', false],
    ['My daughter is 12 years old', '12-12', false],
    ['My daughter is 12 and I am 40', '40-40', true],
    ['My boss is 45 years old', '45-54', false],
    ['My age is 31', '25-34', true],
    ['I have been streaming for 25 years', '25-34', false],
    ['25 years of experience', '25-34', false],
    ['Remaster of Half-Life from 1998', '25-34', false],
    ['Channel founded in 1998', '25-34', false],
    ['Roaring 20s jazz', '20-29', false],
    ['in my 20s', '20-29', true],
    ['30s, she/her', '30-39', true],
    ['I am grown up', '18-24', false],
  ])('of %j and %s in 2026: %s', (quote, range, expected) => {
    expect(statesAge(foldQuote(quote), range, 2026)).toBe(expected);
  });
});

describe('parseAgeRange', () => {
  it.each([
    ['25-34', { from: 25, to: 34 }],
    ['65+', { from: 65, to: 120 }],
    ['99-01', null],
    ['0-99', null],
    ['in the twenties', null],
  ])('of %j is %j', (text, range) => {
    expect(parseAgeRange(text)).toEqual(range);
  });
});
