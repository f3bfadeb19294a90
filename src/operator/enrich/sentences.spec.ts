import { expect, it } from '@jest/globals';
import { sentencesWith } from './sentences.js';

it.each([
  ['i play fifa 23 all day. 23 wins!', '23', ['i play fifa 23 all day', '23 wins!']],
  ['mara | 23 | berlin', '23', ['23']],
  ['first text\n23\nlast', '23', ['23']],
  ['born 3.5.1997 in rome', '3.5.1997', ['born 3.5.1997 in rome']],
  ['nothing', '23', []],
  ['nothing', '', []],
])('in %j, the sentences with %j are %j', (text, quote, sentences) => {
  expect(sentencesWith(text, quote)).toEqual(sentences);
});

it('reads a limited number of occurrences', () => {
  expect(sentencesWith('23 '.repeat(1000), '23')).toHaveLength(20);
});
