import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { GAME_PLATFORMS } from '../../model/platforms.js';
import { Limit } from '../../http/validation/parameters.js';
import { REQUIRED } from '../../http/validation/request.pipe.js';

/** Longest search text in characters. */
const MAX_QUERY_CHARACTERS = 200;

const SEARCH_TEXT = 'query must have between 1 and 200 characters';

/** The short form of the same request, when the validators look at `query`. */
const shortForm = (validation: ValidationArguments | undefined): string | undefined =>
  validation?.object instanceof GameSearchRequest ? validation.object.q : undefined;

const isSearchText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && Array.from(value).length <= MAX_QUERY_CHARACTERS;

export class GameSearchRequest {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_QUERY_CHARACTERS,
    description: 'Search text; this or `q`',
  })
  @ValidateBy({
    name: REQUIRED,
    validator: {
      validate: (value, validation) => value !== undefined || shortForm(validation) !== undefined,
      defaultMessage: () => REQUIRED,
    },
  })
  @ValidateBy({
    name: 'oneOfTwo',
    validator: {
      validate: (value, validation) => value === undefined || shortForm(validation) === undefined,
      defaultMessage: () => 'query and q are the same parameter: give one of them',
    },
  })
  @ValidateBy({
    name: 'searchText',
    validator: { validate: (value) => value === undefined || isSearchText(value), defaultMessage: () => SEARCH_TEXT },
  })
  query?: string;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_QUERY_CHARACTERS,
    description: 'Short form of `query`',
  })
  @IsOptional()
  @ValidateBy({ name: 'searchText', validator: { validate: isSearchText, defaultMessage: () => SEARCH_TEXT } })
  q?: string;

  @ApiPropertyOptional({ enum: GAME_PLATFORMS, description: 'Only games that are available there' })
  @IsOptional()
  @ValidateBy({
    name: 'gamePlatform',
    validator: {
      validate: (value) => (GAME_PLATFORMS as readonly unknown[]).includes(value),
      defaultMessage: () => REQUIRED,
    },
  })
  platform?: (typeof GAME_PLATFORMS)[number];

  @Limit(100, 20)
  limit: number = 20;

  /** The search text, by whichever name it came. */
  get text(): string {
    return this.query ?? this.q ?? '';
  }
}
