import { ApiPropertyOptional } from '@nestjs/swagger';
import { ApiError, conflictingParameters } from '../../http/errors/api-error.js';
import { rejectUnknownParameters } from '../../http/validation/request.pipe.js';
import { isCalendarDate, startOfDay } from '../../model/calendar-date.js';
import type { Criteria } from './search-query.js';

const MAX_VALUES = 50;

/** Documents about a creator that `has` can require. */
const DOCUMENTS = ['email', 'analysis', 'audience', 'socials'] as const;

/** Inclusive bounds of the number of followers. */
export class FollowerBounds {
  @ApiPropertyOptional({ type: 'integer', format: 'int64', description: 'At least so many followers' })
  min?: number;

  @ApiPropertyOptional({ type: 'integer', format: 'int64', description: 'At most so many followers' })
  max?: number;
}

const ValueList = (description: string): PropertyDecorator =>
  ApiPropertyOptional({ type: [String], minItems: 1, maxItems: MAX_VALUES, description });

/** Conditions on creators. `parseCriteria` validates them. */
export class SearchFilters {
  @ApiPropertyOptional({ type: FollowerBounds, description: 'Bounds, inclusive; unknown numbers are outside of any' })
  followers?: FollowerBounds;

  @ValueList('Language codes as they are stored, in any case: `en` does not include `en-gb`. The facet lists them')
  language?: string[];

  @ValueList('Statuses on the platform, such as partner')
  account_type?: string[];

  @ApiPropertyOptional({ type: Boolean, description: 'Whether the profile is marked as for adults only' })
  is_mature?: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: 'Active on this UTC day or later',
  })
  last_active_after?: string;

  @ValueList('IDs of games on the platform: creators with content of any of them')
  game_ids?: string[];

  @ValueList('Topics or categories of the analysis, whole, in any case')
  topics?: string[];

  @ValueList('Country codes of the residence in the analysis, such as DE, in any case')
  countries?: string[];

  @ApiPropertyOptional({
    type: [String],
    enum: DOCUMENTS,
    minItems: 1,
    maxItems: MAX_VALUES,
    description: 'Documents that must all exist; in `not`, creators with any of them are left out',
  })
  has?: (typeof DOCUMENTS)[number][];
}

/** Members with lists of texts. */
const LISTS = ['language', 'account_type', 'game_ids', 'topics', 'countries'] as const;

const MEMBERS: readonly string[] = [
  'followers',
  'language',
  'account_type',
  'is_mature',
  'last_active_after',
  'game_ids',
  'topics',
  'countries',
  'has',
];

/** Members of profiles and analyses that a filter reveals. */
const REVEALED: Readonly<Record<string, readonly string[]>> = {
  language: ['language'],
  account_type: ['account_type'],
  is_mature: ['is_mature'],
  topics: ['classifications', 'primary_classification'],
  countries: ['residence'],
};

/** Returns the members that a filter or facet reveals. */
export const revealedBy = (member: string): readonly string[] => REVEALED[member] ?? [];

/** Validates `filters` or `not`. @param name its name in the body @throws ApiError 400 that names the wrong member */
export function parseCriteria(given: unknown, name: 'filters' | 'not'): Criteria {
  const filters = given === undefined ? {} : readObject(given, name, MEMBERS);
  const values: Criteria['values'][number][] = [];
  for (const attribute of LISTS) {
    if (filters[attribute] === undefined) continue;
    values.push({ attribute, values: readTexts(filters[attribute], `${name}.${attribute}`) });
  }
  if (filters.is_mature !== undefined) {
    const isMature = readWord(filters.is_mature, `${name}.is_mature`, [true, false]);
    values.push({ attribute: 'is_mature', values: [String(isMature)] });
  }
  if (filters.has !== undefined) {
    const documents = readDocuments(filters.has, `${name}.has`);
    // All are required, but any one is enough to be left out.
    if (name === 'not') values.push({ attribute: 'has', values: documents });
    else for (const document of documents) values.push({ attribute: 'has', values: [document] });
  }
  return {
    followers: filters.followers === undefined ? null : readBounds(filters.followers, `${name}.followers`),
    lastActiveAfter:
      filters.last_active_after === undefined ? null : readDay(filters.last_active_after, `${name}.last_active_after`),
    values,
  };
}

function readObject(given: unknown, parameter: string, members: readonly string[]): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(parameter, 'must be an object');
  const unknown = Object.keys(given).find((member) => !members.includes(member));
  if (unknown !== undefined) {
    const known = members.map((member) => `${parameter}.${member}`);
    rejectUnknownParameters({ [`${parameter}.${unknown}`]: null }, new Set(known));
  }
  return given as Record<string, unknown>;
}

function readTexts(given: unknown, parameter: string): string[] {
  if (!Array.isArray(given)) throw invalid(parameter, 'must be an array of strings');
  if (given.length < 1 || given.length > MAX_VALUES) {
    throw invalid(parameter, `must contain between 1 and ${MAX_VALUES} items`);
  }
  if (!given.every((item) => typeof item === 'string' && item !== '')) {
    throw invalid(parameter, 'must contain only non-empty strings');
  }
  return given as string[];
}

function readDocuments(given: unknown, parameter: string): string[] {
  const documents = readTexts(given, parameter);
  for (const document of documents) {
    if (!(DOCUMENTS as readonly string[]).includes(document)) {
      throw new ApiError('invalid_parameter', `${parameter} must contain only ${DOCUMENTS.join(', ')}`, {
        parameter,
        allowed: DOCUMENTS,
      });
    }
  }
  return documents;
}

function readWord(given: unknown, parameter: string, allowed: readonly unknown[]): unknown {
  if (allowed.includes(given)) return given;
  throw new ApiError('invalid_parameter', `${parameter} must be one of ${allowed.join(', ')}`, {
    parameter,
    allowed: allowed.map(String),
  });
}

function readBounds(given: unknown, parameter: string): Criteria['followers'] {
  const bounds = readObject(given, parameter, ['min', 'max']);
  const [min, max] = ['min', 'max'].map((member) => {
    const value = bounds[member];
    if (value === undefined) return null;
    if (Number.isSafeInteger(value)) return value as number;
    throw invalid(`${parameter}.${member}`, 'must be an integer from -(2^53 - 1) to 2^53 - 1');
  });
  if ((min ?? null) === null && (max ?? null) === null) throw invalid(parameter, 'must have min, max or both');
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    throw conflictingParameters(`${parameter}.min must not be more than ${parameter}.max`);
  }
  return { min: min ?? null, max: max ?? null };
}

function readDay(given: unknown, parameter: string): number {
  if (typeof given === 'string' && isCalendarDate(given)) return startOfDay(given);
  throw invalid(parameter, 'must be a calendar date, YYYY-MM-DD');
}

const invalid = (parameter: string, problem: string) =>
  new ApiError('invalid_parameter', `${parameter} ${problem}`, { parameter });
