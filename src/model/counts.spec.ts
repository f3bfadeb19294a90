import { expect, it } from '@jest/globals';
import { countOf } from './counts.js';

it.each([
  [0, '0 units'],
  [1, '1 unit'],
  [2, '2 units'],
  [1234, '1,234 units'],
])('%d is "%s"', (count, text) => {
  expect(countOf(count, 'unit')).toBe(text);
});
