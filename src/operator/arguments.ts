import { InvalidArgumentError } from 'commander';
import {
  RECORD_GROUPINGS,
  SUMMARY_GROUPINGS,
  type RecordGrouping,
  type SummaryGrouping,
} from './usage/usage-summary.js';
import { isCalendarDate } from '../model/calendar-date.js';
import { parsePolicy } from '../model/field-policy.js';
import { isPlatform, PLATFORMS, type Platform } from '../model/platforms.js';
import { CSV_SOURCE } from '../sources/csv/csv.js';
import { MAPPERS } from '../sources/mappers.js';
import { AUTO_SOURCE } from '../sources/source-reader.js';
import { REINDEX_KINDS, type ReindexKind } from './reindex/reindex-sources.js';
import { escapeControls } from './terminal.js';

/** Parsers of command-line arguments. Commander turns the errors they throw into one line and exit status 1. */

/** The earliest year that an argument accepts: no usage is older, and a misspelt year would span millions of empty days. */
const FIRST_YEAR = 2000;

function requireRecentYear(text: string): void {
  if (Number(text.slice(0, 4)) < FIRST_YEAR) throw new InvalidArgumentError(`It is before the year ${FIRST_YEAR}.`);
}

/** Parses a UTC day since 2000. */
export function parseDate(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('It must be a calendar date, YYYY-MM-DD.');
  requireRecentYear(text);
  return text;
}

export function parsePlatform(text: string): Platform {
  if (!isPlatform(text)) throw new InvalidArgumentError(`It must be one of ${PLATFORMS.join(', ')}.`);
  return text;
}

export function parseReindexKind(text: string): ReindexKind {
  const kind = REINDEX_KINDS.find((name) => name === text);
  if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${REINDEX_KINDS.join(', ')}.`);
  return kind;
}

export function parseBatchRecords(text: string): number {
  const records = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (records < 1 || records > 8192) throw new InvalidArgumentError('It must be a whole number from 1 to 8192.');
  return records;
}

/** Parses one or two groupings of usage, comma-separated. */
export const parseGroupings = (text: string): SummaryGrouping[] => parseOneOrTwo(text, SUMMARY_GROUPINGS);

/** Parses one or two groupings of archived usage, comma-separated. */
export const parseRecordGroupings = (text: string): RecordGrouping[] => parseOneOrTwo(text, RECORD_GROUPINGS);

function parseOneOrTwo<G extends string>(text: string, groupings: readonly G[]): G[] {
  const found = text.split(',').map((name) => groupings.find((each) => each === name.trim()));
  const known = found.filter((each) => each !== undefined);
  if (known.length < found.length || found.length > 2 || new Set(known).size < known.length) {
    throw new InvalidArgumentError(`It must be one or two of ${groupings.join(', ')}, such as month,key.`);
  }
  return known;
}

/** Parses a month since 2000 that has begun, such as `2026-01`. */
export function parseMonth(text: string): string {
  if (!isCalendarDate(`${text}-01`)) throw new InvalidArgumentError('It must be a month, YYYY-MM.');
  requireRecentYear(text);
  if (text > new Date().toISOString().slice(0, 7)) throw new InvalidArgumentError('It is in the future.');
  return text;
}

export function parseRequestId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) {
    throw new InvalidArgumentError('It must be a UUID, the X-Request-Id of a response.');
  }
  return id;
}

export function parseRateLimit(text: string): number {
  const limit = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1_000_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 1000000000.');
  return limit;
}

export function parseMegabytes(text: string): number {
  const size = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > 1_000_000) throw new InvalidArgumentError('It must be a whole number from 1 to 1000000.');
  return size;
}

export function parseCredits(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Parses the days until an invoice is due. */
export function parseDueDays(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999.');
  return Number(text);
}

export function parseHttpUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return new URL(text);
}

export function parseKeyName(text: string): string {
  const name = text.trim();
  if (name === '' || Array.from(name).length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  // Bills and tables print the name.
  if (escapeControls(name) !== name)
    throw new InvalidArgumentError(
      'It must not contain line breaks, other control characters or invisible characters.',
    );
  return name;
}

/** Parses the members to hide. @returns an object: commander reads a null value as an option that was not given */
export function parseHiddenMembers(text: string): { readonly kept: string | null } {
  try {
    return { kept: parsePolicy(text) };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** Accepted values of the `SOURCE` argument. */
export const SOURCE_NAMES: readonly string[] = [...MAPPERS.map(({ source }) => source), CSV_SOURCE, AUTO_SOURCE];

export function parseSourceName(text: string): string {
  if (!SOURCE_NAMES.includes(text)) throw new InvalidArgumentError(`It must be one of ${SOURCE_NAMES.join(', ')}.`);
  return text;
}

/** Parses an age in days, such as `30d`. @returns milliseconds */
export function parseAge(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined) throw new InvalidArgumentError('It must be a number of days, such as 30d.');
  return Number(days) * 86_400_000;
}
