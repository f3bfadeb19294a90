import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { GAME_PLATFORMS, type GamePlatform } from '../../model/platforms.js';
import { Limit, Text } from '../../http/validation/parameters.js';
import { REQUIRED } from '../../http/validation/request.pipe.js';

const MAX_QUERY_CHARACTERS = 200;

/** The short form of the same request, when the validators look at `query`. */
const shortForm = (validation: ValidationArguments | undefined): string | undefined =>
  validation?.object instanceof GameSearchRequest ? validation.object.q : undefined;

export class GameSearchRequest {
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
  @Text('query', MAX_QUERY_CHARACTERS, 'Search text; this or `q`')
  query?: string;

  @Text('query', MAX_QUERY_CHARACTERS, 'Short form of `query`')
  q?: string;

  @ApiPropertyOptional({ enum: GAME_PLATFORMS, description: 'Only games that are available there' })
  @IsOptional()
  @IsIn(GAME_PLATFORMS, { message: REQUIRED })
  platform?: GamePlatform;

  @Limit(100, 20)
  limit: number = 20;

  /** The search text, by whichever name it came. */
  get text(): string {
    return this.query ?? this.q ?? '';
  }
}
