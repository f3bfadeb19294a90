import { describe, expect, it } from '@jest/globals';
import { statesBirthday, statesHeight, statesWords } from './stated-values.js';
import { foldQuote } from './typography.js';

describe('statesHeight', () => {
  it.each([
    ["5'9", 69, true],
    ['5’9”', 69, true],
    ['5 ft 9', 69, true],
    ['5ft9', 69, true],
    ['5-foot-9', 69, true],
    ['6 feet tall', 72, true],
    ['69 inches', 69, true],
    ['69"', 69, true],
    ['69 in tall', 69, true],
    ['175 cm', 69, true],
    ['175cm', 69, true],
    ['рост 170 см', 67, true],
    ['1.75 m', 69, true],
    ['1,75m', 69, true],
    ['1.60 cm', 63, true],
    ['1m75', 69, true],
    ['2 m tall', 79, true],
    ['１７５ｃｍ', 69, true],
    ['Height: 175', 69, true],
    ['my height is 175', 69, true],
    ['ส่วนสูง 175', 69, true],
    ['My sword is 180 cm', 71, false],
    ['Top 70 games', 70, false],
    ['Top 2 games', 79, false],
    ['170 wins', 67, false],
    ['Minecraft 1.75 update', 69, false],
    ['5 feet deep water', 60, false],
    ['175 cm', 72, false],
    ["5'9", 75, false],
  ])('of %j and %d inches: %s', (quote, inches, expected) => {
    expect(statesHeight(foldQuote(quote), inches)).toBe(expected);
  });
});

describe('statesBirthday', () => {
  it.each([
    ['3 May 1997', true],
    ['born 3 May 1997, debut 2020', true],
    ['Channel launched 3 May 1997', false],
    ['released 3 May 1997', false],
    ['My son was born 3 May 1997', false],
    ['My birthday is 3 May 1997', true],
    ['Mara, 3 May 1997, Berlin', true],
    ['May 3, 1997', true],
    ['1997年5月3日', true],
    ['Kanal erstellt am 03.05.1997', false],
    ['Affiliate since 03.05.1997', false],
    ['New video on 3 May 1997', false],
    ["The channel's birthday is 3 May 1997", false],
  ])('of %j: %s', (quote, expected) => {
    const birthday = { birthday_day: 3, birthday_month: 5, birthday_year: 1997 };
    expect(statesBirthday(foldQuote(quote), birthday)).toBe(expected);
  });
});

it('takes no date alone for a birthday that may be of a video', () => {
  const birthday = { birthday_day: 3, birthday_month: 5, birthday_year: 2012 };
  expect(statesBirthday('3 may 2012', birthday)).toBe(false);
  expect(statesBirthday('born 3 may 2012', birthday)).toBe(true);
});

describe('statesWords', () => {
  it.each([
    ['I am Mara Quill', 'Mara', true],
    ['my name is mara', 'Mara', true],
    ['by Vincent van Gogh', 'van Gogh', true],
    ['by Anna-Lena', 'Anna–Lena', true],
    ["I'm Conan O’Brien", "O'Brien", true],
    ['私はアンナです', 'アンナ', true],
    ['I am Élodie', 'élodie', true],
    ['I am Maria', 'Mara', false],
    ['MaraQuill live', 'Mara', false],
    ["Mara's channel", 'Mara', true],
    ['我是Anna来自', 'Anna', true],
    ['i am ann. Annabel is here', 'Ann', true],
    ['Annabel is here', 'Ann', false],
    ['I play games', 'I', false],
    ['我是王小明', '王', true],
  ])('of %j and %j: %s', (quote, name, expected) => {
    expect(statesWords(foldQuote(quote), foldQuote(name))).toBe(expected);
  });
});
