import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Cursor, Limit, OneOf, Required } from '../../http/validation/parameters.js';
import type { Rejection } from '../../http/validation/request.pipe.js';
import { FEED_KINDS, type FeedKind } from './feeds.js';

/** Parameters of every feed. */
export class FeedRequest {
  @Cursor()
  cursor?: string;

  @OneOf(['now'], undefined, '`now` returns no items and the cursor of now. Not together with `cursor`')
  from?: 'now';

  @Limit(100, 50)
  limit: number = 50;
}

export class ChangesRequest extends FeedRequest {
  @ApiProperty({ type: String, enum: FEED_KINDS, description: 'Kind of the records' })
  @IsIn(FEED_KINDS, {
    message: `$property must be one of ${FEED_KINDS.join(', ')}`,
    context: { allowed: FEED_KINDS } satisfies Rejection,
  })
  // Last, so that it runs first: only the first problem is reported.
  @Required(FEED_KINDS)
  kind: FeedKind;
}
