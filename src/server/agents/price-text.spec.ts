import { expect, it } from '@jest/globals';
import { describePrice } from './price-text.js';

it.each([
  ['profiles.get', '1 unit, 0 credits'],
  ['profiles.list', '1 unit for each item asked for, 0 credits'],
  ['profiles.lookup', '1 unit for each item asked for, 1 credit'],
  ['games.search', '1 unit for each item asked for, 2 credits for each item returned'],
  ['analysis.get', '100 units, 100 credits'],
  ['games.changes', 'for each record returned the price of games.get, and at least 1 unit'],
  ['usage.get', 'free'],
] as const)('the price of %s is "%s"', (operation, text) => {
  expect(describePrice(operation)).toBe(text);
});
