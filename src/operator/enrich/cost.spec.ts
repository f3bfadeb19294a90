import { describe, expect, it } from '@jest/globals';
import { costNumber, costOf, formatCost, parseScaledInteger, parseMoney } from './cost.js';

describe('costOf', () => {
  it.each([
    [{ input: 1_000_000, output: 0 }, { input: 150_000, output: 600_000 }, 100, 150_000_000],
    [{ input: 1, output: 1 }, { input: 150_000, output: 600_000 }, 100, 750],
    [{ input: 1, output: 0 }, { input: 1, output: 0 }, 100, 1],
    [{ input: 3, output: 0 }, { input: 1_000_000, output: 0 }, 50, 1500],
    [{ input: 5, output: 5 }, { input: 0, output: 0 }, 100, 0],
  ])('of %j at %j and %d percent is %d billionths, rounded up', (tokens, prices, percent, expected) => {
    expect(costOf(tokens, prices, percent)).toBe(expected);
  });

  it('is exact for more tokens than a number of JavaScript times their price', () => {
    expect(costOf({ input: 1e9, output: 1e9 }, { input: 75_000_001, output: 1 })).toBe(75_000_002_000_000);
  });
});

describe('parseDecimal', () => {
  it.each([
    ['0.15', 6, 150_000],
    ['75', 6, 75_000_000],
    ['0.1234567', 6, null],
    ['-1', 6, null],
    ['1e3', 6, null],
    ['', 6, null],
  ])('of %j with %d decimals is %j', (text, decimals, expected) => {
    expect(parseScaledInteger(text, decimals)).toBe(expected);
  });
});

describe('formatCost', () => {
  it.each([
    [0, '0'],
    [1_500_000, '0.0015'],
    [2_000_000_000, '2'],
    [1, '0.000000001'],
  ])('of %d billionths is %s', (nanos, expected) => {
    expect(formatCost(nanos)).toBe(expected);
    expect(parseMoney(expected)).toBe(nanos);
    expect(costNumber(nanos)).toBe(Number(expected));
  });
});
