import { trimEnd } from '../../model/trim-end.js';

/** Numbers of tokens. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Prices of a million tokens, in millionths of the currency. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** Billionths of the currency per unit. Costs are whole numbers of them, so that sums are exact. */
const NANOS = 1_000_000_000;

/** Part of the price that requests of a batch cost, in percent. */
export const BATCH_PERCENT = 50;

export const NO_TOKENS: Tokens = { input: 0, output: 0 };

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
});

export const sumTokens = ({ input, output }: Tokens): number => input + output;

/** Returns the cost of tokens in billionths of the currency, rounded up. @param percent share of the full price that is charged */
export function costOf({ input, output }: Tokens, prices: Prices, percent = 100): number {
  const exact = (BigInt(input) * BigInt(prices.input) + BigInt(output) * BigInt(prices.output)) * BigInt(percent);
  const divisor = 100_000n;
  return Number((exact + divisor - 1n) / divisor);
}

/** Parses a decimal number to a whole number of its smallest unit. @returns null if it has more than `decimals` decimals */
export function parseScaledInteger(text: string, decimals: number): number | null {
  const match = /^(\d{1,7})(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.length > decimals) return null;
  return Number(match[1]) * 10 ** decimals + Number(fraction.padEnd(decimals, '0'));
}

/** Parses an amount of money. @returns billionths; null if it is invalid */
export const parseMoney = (text: string): number | null => parseScaledInteger(text, 9);

/** Formats a cost, such as `0.00125`. @param nanos billionths of the currency */
export function formatCost(nanos: number): string {
  const fraction = trimEnd(String(nanos % NANOS).padStart(9, '0'), '0');
  return `${Math.floor(nanos / NANOS)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Converts a cost to a number for JSON. */
export const costNumber = (nanos: number): number => Number(formatCost(nanos));
