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
} from 'class-validator';
import { isCalendarDate } from '../../model/calendar-date.js';
import { REQUIRED, type Rejection } from './request.pipe.js';

/*
 * Decorators for the properties of request classes: each declares a parameter's bounds, message and OpenAPI entry. `Text`,
 * `InOrder` and `Required` only validate: their property needs its own `ApiProperty`. Every parameter needs a validator;
 * without one its name is rejected. class-validator replaces '$property' with the name.
 */

/** Parameter `limit`: an integer from 1 to `max`. Other values are rejected, not clamped. */
export function Limit(max: number, byDefault: number, description = 'Items of a page'): PropertyDecorator {
  const message = `$property must be an integer between 1 and ${max}`;
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: 1,
      maximum: max,
      default: byDefault,
      description,
    }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(1, { message }),
    Max(max, { message }),
  );
}

/** Parameter `cursor`. `PagedList` checks its contents. */
export function Cursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, description: '`paging.next_cursor` of the page before, unchanged' }),
    IsOptional(),
    IsString({ message: 'Invalid cursor', context: { code: 'invalid_cursor' } satisfies Rejection }),
  );
}

/** Optional text of 1 to `max` characters. */
export function Text(max: number): PropertyDecorator {
  return ValidateBy({
    name: 'text',
    validator: {
      validate: (value) =>
        value === undefined || (typeof value === 'string' && value !== '' && Array.from(value).length <= max),
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
    IsOptional(),
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
    IsOptional(),
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
    IsOptional(),
    IsIn([...values], {
      message: `$property must be one of ${values.join(', ')}`,
      context: { allowed: values } satisfies Rejection,
    }),
  );
}

/** Optional `true` or `false`; the property's initializer sets the default, false. */
export function Flag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, default: false, description }),
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value)),
    IsIn([true, false], {
      message: '$property must be one of true, false',
      context: { allowed: ['true', 'false'] } satisfies Rejection,
    }),
  );
}

export function CalendarDate(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description }),
    IsOptional(),
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

export function Required(): PropertyDecorator {
  return ValidateBy({
    name: REQUIRED,
    validator: { validate: (value) => value !== undefined, defaultMessage: () => REQUIRED },
  });
}
