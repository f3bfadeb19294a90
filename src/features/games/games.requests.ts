import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { GAME_PLATFORMS, type GamePlatform } from '../../model/platforms.js';
import { CONFLICT, Flag, Limit, Text } from '../../http/validation/parameters.js';
import { REQUIRED, type Rejection } from '../../http/validation/request.pipe.js';

const MAX_QUERY_CHARACTERS = 200;

/** Returns the value of `q`, the alias of `query`, for the validators of `query`. */
const aliasValue = (validation: ValidationArguments | undefined): string | undefined =>
  validation?.object instanceof GameSearchRequest ? validation.object.q : undefined;

export class GameSearchRequest {
  @ValidateBy({
    name: REQUIRED,
    validator: {
      validate: (value, validation) => value !== undefined || aliasValue(validation) !== undefined,
      defaultMessage: () => REQUIRED,
    },
  })
  @ValidateBy(
    {
      name: 'oneOfTwo',
      validator: {
        validate: (value, validation) => value === undefined || aliasValue(validation) === undefined,
        defaultMessage: () => 'query and q are the same parameter: give one of them',
      },
    },
    { context: CONFLICT },
  )
  // Documented as required: generated clients need only one name, and giving both is an error.
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_QUERY_CHARACTERS,
    description: 'Search text; `q` is an alias',
  })
  @Text(MAX_QUERY_CHARACTERS)
  query?: string;

  @Text(MAX_QUERY_CHARACTERS)
  q?: string;

  @ApiPropertyOptional({ type: String, enum: GAME_PLATFORMS, description: 'Only games that are available there' })
  @IsOptional()
  @IsIn(GAME_PLATFORMS, { context: { code: 'invalid_platform', allowed: GAME_PLATFORMS } satisfies Rejection })
  platform?: GamePlatform;

  @Flag('Only games with exactly this name; case, accents and punctuation are ignored as in every search')
  exact: boolean = false;

  @Limit(100, 20, 'Maximum number of games')
  limit: number = 20;

  /** Search text, from `query` or `q`. */
  get text(): string {
    return this.query ?? this.q ?? '';
  }
}
