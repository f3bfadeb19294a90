import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isCalendarDate } from '../../model/calendar-date.js';
import type { MetaMember } from '../envelope/endpoint-rules.js';
import { REQUIRED, type Rejection } from './request.pipe.js';

/*
 * Decorators for the properties of request classes: each declares a parameter's bounds, message and OpenAPI entry. `Text`,
 * `InOrder` and `Required` only validate: their property needs its own `ApiProperty`. Every parameter needs a validator;
 * without one its name is rejected. class-validator replaces '$property' with the name.
 */

/** Lets a parameter be left out; null is a value like any other. */
const IfGiven = (): PropertyDecorator => ValidateIf((_request: object, value: unknown) => value !== undefined);

/** Parameter `limit`: an integer from 1 to `max`. Other values are rejected, not clamped. */
export const Limit = (max: number, byDefault: number, description?: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    BodyLimit(max, byDefault, description),
  );

/** Member `limit` of a body, which has no texts for numbers. */
export function BodyLimit(max: number, byDefault: number, description = 'Items of a page'): PropertyDecorator {
  const message = `$property must be an integer between 1 and ${max}`;
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: byDefault,
      description,
    }),
    IsInt({ message }),
    Min(1, { message }),
    Max(max, { message }),
  );
}

/** Optional list of at most `max` texts. @param allowed accepted texts; by default any that is not empty */
export function TextList(max: number, description: string, allowed?: readonly string[]): PropertyDecorator {
  const isAllowed = (item: unknown) =>
    typeof item === 'string' && (allowed === undefined ? item !== '' : allowed.includes(item));
  const accepted = allowed === undefined ? 'non-empty strings' : allowed.join(', ');
  return applyDecorators(
    ApiPropertyOptional({
      type: [String],
      maxItems: max,
      description,
      ...(allowed === undefined ? {} : { enum: [...allowed] }),
    }),
    IfGiven(),
    IsArray({ message: '$property must be an array of strings' }),
    ArrayMaxSize(max, { message: `$property must contain at most ${max} items` }),
    ValidateBy(
      {
        name: 'textList',
        validator: {
          validate: (value) => Array.isArray(value) && value.every(isAllowed),
          defaultMessage: () => `$property must contain only ${accepted}`,
        },
      },
      { context: { allowed } satisfies Rejection },
    ),
  );
}

/** Parameter `cursor`. `PagedList` checks its contents. */
export function Cursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, description: '`paging.next_cursor` of the page before, unchanged' }),
    // Null is accepted, because it is what the last page has.
    IsOptional(),
    IsString({ message: 'Invalid cursor', context: { code: 'invalid_cursor' } satisfies Rejection }),
  );
}

/** Reports whether a text has at most so many characters, of one or two units. */
const hasAtMost = (text: string, max: number): boolean => text.length <= 2 * max && Array.from(text).length <= max;

/** Optional text of 1 to `max` characters. */
export function Text(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'text',
    validator: {
      validate: (value) => value === undefined || (typeof value === 'string' && value !== '' && hasAtMost(value, max)),
      defaultMessage: () => `$property must have between 1 and ${max} characters`,
    },
  });
}

export function WholeNumber(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', format: 'int64', description }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    IfGiven(),
    ValidateBy({
      name: 'wholeNumber',
      validator: {
        validate: Number.isSafeInteger,
        defaultMessage: () => '$property must be an integer from -(2^53 - 1) to 2^53 - 1',
      },
    }),
  );
}

/** Optional text of 1 to `max` bytes. */
export function TextUpToBytes(max: number, description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, minLength: 1, maxLength: max, description }),
    IfGiven(),
    ValidateBy({
      name: 'textUpToBytes',
      validator: {
        validate: (value) => typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= max,
        defaultMessage: () => `$property must have between 1 and ${max} bytes in UTF-8`,
      },
    }),
  );
}

/** One of several words. @param byDefault shown in the OpenAPI document only; the property's initializer sets it */
export function OneOf(
  values: readonly string[],
  byDefault: string | undefined,
  description: string,
): PropertyDecorator {
  const entry = { type: String, enum: [...values], description };
  return applyDecorators(
    ApiPropertyOptional(byDefault === undefined ? entry : { ...entry, default: byDefault }),
    IfGiven(),
    IsIn([...values], {
      message: `$property must be one of ${values.join(', ')}`,
      context: { allowed: values } satisfies Rejection,
    }),
  );
}

/** Optional `true` or `false`; the property's initializer sets the default, false. */
export const Flag = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    BodyFlag(description),
  );

/** Member of a body, which has no texts for booleans; the property's initializer sets the default, false. */
export function BodyFlag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    IsIn([true, false], {
      message: '$property must be one of true, false',
      context: { allowed: ['true', 'false'] } satisfies Rejection,
    }),
  );
}

/** Parameter `include`. @param values members of `meta` that it adds */
export const Include = (values: readonly MetaMember[], description: string): PropertyDecorator =>
  OneOf(values, undefined, description);

export function CalendarDate(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }),
    IfGiven(),
    ValidateBy({
      name: 'calendarDate',
      validator: {
        validate: (value) => typeof value === 'string' && isCalendarDate(value),
        defaultMessage: () => '$property must be a calendar date, YYYY-MM-DD',
      },
    }),
  );
}

/** Context of a validator that compares parameters. */
export const CONFLICT: Rejection = { code: 'conflicting_parameters' };

/** Requires the decorated upper bound to be at least the lower bound. @param lower property name of the lower bound */
export function InOrder(lower: string, comparison: 'later' | 'more'): PropertyDecorator {
  return ValidateBy(
    {
      name: 'inOrder',
      validator: {
        validate: (end: unknown, validation) => {
          const start = (validation?.object as Record<string, unknown> | undefined)?.[lower];
          const areComparable = typeof start === typeof end && (typeof end === 'string' || typeof end === 'number');
          return !areComparable || (start as typeof end) <= end;
        },
        defaultMessage: () => `${lower} must not be ${comparison} than $property`,
      },
    },
    { context: CONFLICT },
  );
}

export function Batch(description: string): PropertyDecorator {
  const bounds = '$property must contain between 1 and 100 items';
  return applyDecorators(
    ApiProperty({ type: [String], minItems: 1, maxItems: 100, description }),
    // The order matters: only the first problem is reported.
    Required(),
    IsArray({ message: '$property must be an array of strings' }),
    ArrayMinSize(1, { message: bounds }),
    ArrayMaxSize(100, { message: bounds }),
    ValidateBy({
      name: 'batchItems',
      validator: {
        validate: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== ''),
        defaultMessage: () => '$property must contain only non-empty strings',
      },
    }),
  );
}

/** @param allowed the values that the parameter may have, for its error */
export function Required(allowed?: readonly string[]): PropertyDecorator {
  return ValidateBy(
    { name: REQUIRED, validator: { validate: (value) => value !== undefined, defaultMessage: () => REQUIRED } },
    { context: { allowed } satisfies Rejection },
  );
}
