import { InvalidArgumentError } from 'commander';
import { parseMoney } from './cost.js';

/** Parsers of the arguments of `enrich analysis`. */

/** Parses a cost, such as `2.50`. @returns billionths of the currency */
export function parseMaxCost(text: string): number {
  const cost = parseMoney(text);
  if (cost === null || cost === 0 || cost > 1_000_000 * 1e9) {
    throw new InvalidArgumentError('It must be an amount above 0 and at most 1000000, such as 2.50.');
  }
  return cost;
}

/** Creates the parser of a whole number in a range. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value < min || value > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

/** Collects the values of an option that is given several times. */
export const appendOption = (text: string, before: readonly string[] | undefined): string[] => {
  if (text === '') throw new InvalidArgumentError('It must not be empty.');
  return [...(before ?? []), text];
};
