import { InvalidArgumentError } from 'commander';
import { startOfDay } from '../../model/calendar-date.js';
import { parseDate } from '../arguments.js';

/** Commander reads a null value as an option that was not given, so values that may be null are wrapped. */
export interface Given<T> {
  readonly value: T;
}

/** Parses a month allowance of units or credits. */
export function parseAllowance(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number with at most 15 digits.');
  return Number(text);
}

/** Parses a month allowance, or `none`. */
export function parseAllowanceOrNone(text: string): Given<number | null> {
  if (text === 'none') return { value: null };
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number with at most 15 digits, or none.');
  return { value: Number(text) };
}

/** Parses the UTC day from which a key is rejected. @returns its first instant */
export const parseExpiry = (text: string): number => startOfDay(parseDate(text));

/** Parses the UTC day from which a new key is rejected. A day up to today would make an expired key. */
export function parseFutureExpiry(text: string): number {
  const expiresAt = parseExpiry(text);
  if (expiresAt <= Date.now())
    throw new InvalidArgumentError('It must be after today (UTC): the key is rejected from that day on.');
  return expiresAt;
}

/** Parses the UTC day from which a key is rejected, or `none`. */
export const parseExpiryOrNone = (text: string): Given<number | null> => ({
  value: text === 'none' ? null : parseExpiry(text),
});
