import { describe, expect, it } from '@jest/globals';
import { foldText } from './creator-input.js';
import { statesCountry } from './stated-country.js';
import { parseAgeRange, statesAge, statesHeight, statesName } from './stated-values.js';

describe('statesAge', () => {
  it.each([
    ["I'm 23", '18-24', true],
    ['23yo', '18-24', true],
    ['23歳', '18-24', true],
    ['二十三歳です', '18-24', true],
    ['عمري ٢٣', '18-24', true],
    ['born 3 May 1998', '25-34', true],
    ['03.05.1998', '25-34', true],
    ['5.1998', '25-34', true],
    ["class of '98", '25-34', true],
    ['born in 2001', '25-34', true],
    ['born in 2003', '25-34', false],
    ['I am 70', '65+', true],
    ['Top 10 games', '13-17', false],
    ['since 2019', '18-24', false],
    ['I am 29', '30-39', false],
    ['I am grown up', '18-24', false],
  ])('of %j and %s in 2026: %s', (quote, range, expected) => {
    expect(statesAge(foldText(quote), range, 2026)).toBe(expected);
  });
});

describe('parseAgeRange', () => {
  it.each([
    ['25-34', { from: 25, to: 34 }],
    ['65+', { from: 65, to: 120 }],
    ['99-01', null],
    ['in the twenties', null],
  ])('of %j is %j', (text, range) => {
    expect(parseAgeRange(text)).toEqual(range);
  });
});

describe('statesHeight', () => {
  it.each([
    ["5'9", 69, true],
    ['5’9”', 69, true],
    ['5 ft 9', 69, true],
    ['5ft9', 69, true],
    ['5-foot-9', 69, true],
    ['6 feet tall', 72, true],
    ['69 inches', 69, true],
    ['175 cm', 69, true],
    ['175cm', 69, true],
    ['1.75 m', 69, true],
    ['1,75m', 69, true],
    ['1m75', 69, true],
    ['2 m tall', 79, true],
    ['１７５ｃｍ', 69, true],
    ['Top 10 games', 70, false],
    ['Top 2 games', 79, false],
    ['175 cm', 72, false],
    ["5'9", 75, false],
  ])('of %j and %d inches: %s', (quote, inches, expected) => {
    expect(statesHeight(foldText(quote), inches)).toBe(expected);
  });
});

describe('statesName', () => {
  it.each([
    ['I am Mara Quill', 'Mara', true],
    ['I AM MARA', 'Mara', true],
    ['i am mara', 'Mara', false],
    ['by Vincent van Gogh', 'van Gogh', true],
    ['by Anna-Lena', 'Anna-Lena', true],
    ['私はアンナです', 'アンナ', true],
    ['I am Élodie', 'élodie', true],
    ['I am Maria', 'Mara', false],
    ['I am Ronald McDonald', 'Mcdonald', true],
    ['I am Mara', 'MARA', true],
    ["Mara's channel", 'Mara', true],
    ['我是Anna来自', 'Anna', true],
    ['i am ann. Annabel is here', 'Ann', false],
  ])('of %j and %j: %s', (quote, name, expected) => {
    expect(statesName(quote, name)).toBe(expected);
  });
});

describe('statesCountry', () => {
  it.each([
    ['I live in Portugal', 'PT', true],
    ['Ich wohne in Österreich', 'AT', true],
    ['живу в Португалия', 'PT', true],
    ['アメリカ在住', 'US', true],
    ['from the U.S.', 'US', true],
    ['from the U.S.A. now', 'US', true],
    ['based in the UK', 'GB', true],
    ['from England', 'GB', true],
    ['🇵🇹 streamer', 'PT', true],
    ['Lisbon, PT', 'PT', true],
    ['join us in the chat', 'US', false],
    ['I live in a house', 'IN', false],
    ['Top 10 games', 'IR', false],
    ['I live here', 'QX', false],
    ['I live in Spain', 'Spain', false],
    ['I live in Spain', 'es', false],
  ])('of %j and %s: %s', (quote, code, expected) => {
    expect(statesCountry(quote, code)).toBe(expected);
  });
});
