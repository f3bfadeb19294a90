import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from '../model/calendar-date.js';
import { readPolicy } from '../model/field-policy.js';
import { isPlatform, PLATFORMS, type Platform } from '../model/platforms.js';
import { MAPPERS } from '../sources/mappers.js';
import { AUTO } from '../sources/source-reader.js';
import { IMPORT_KINDS, type ImportKind } from './import/parse-line.js';

/** Parsers of command-line arguments; commander turns what they throw into one line and exit status 1. */

export function date(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a calendar date, YYYY-MM-DD.');
  return text;
}

export function platform(text: string): Platform {
  if (!isPlatform(text)) throw new InvalidArgumentError(`It must be one of ${PLATFORMS.join(', ')}.`);
  return text;
}

export function importKind(text: string): ImportKind {
  const kind = IMPORT_KINDS.find((name) => name === text);
  if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${IMPORT_KINDS.join(', ')}.`);
  return kind;
}

export function rateLimit(text: string): number {
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1_000_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 1000000000.');
  return limit;
}

export function keyName(text: string): string {
  if (text.trim() === '' || Array.from(text).length > 200)
    throw new InvalidArgumentError('It must have 1 to 200 characters.');
  return text;
}

/** @returns an object, because commander takes null for an option that was not given */
export function policy(text: string): { readonly kept: string | null } {
  try {
    return { kept: readPolicy(text) };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

export function sourceName(text: string): string {
  const sources = new Set([...MAPPERS.map(({ source }) => source), AUTO]);
  if (!sources.has(text)) throw new InvalidArgumentError(`It must be one of ${[...sources].join(', ')}.`);
  return text;
}

/** @returns milliseconds */
export function age(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined) throw new InvalidArgumentError('It must be a number of days, such as 30d.');
  return Number(days) * 86_400_000;
}
