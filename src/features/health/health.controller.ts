import { Controller, Get } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Database } from '../../database/database.js';
import { STORE_RETRY_SECONDS } from '../../http/api-error.js';
import { computed, type Answer } from '../../http/envelope/answer.js';
import { MinuteCounters } from '../quota/minute-counters.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';

/** How long a store may take to answer before it counts as down. */
const PING_MS = 2000;

/** Needs no key, is not recorded and not limited: for load balancers and people. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly counters: MinuteCounters,
    private readonly recorder: UsageRecorder,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'health', summary: 'Whether requests can be served: `ok`, or 503 and `unavailable`' })
  @ApiResponse({ status: 200, description: 'Requests are served' })
  @ApiResponse({ status: 503, description: 'The database cannot be reached, or takes no usage records' })
  async ready(): Promise<Answer> {
    // Both: a database that is full or locked can still be read, but no request can be answered.
    const [reads, records] = await Promise.all([
      answersInTime(this.database.ping().then(() => true)),
      answersInTime(this.recorder.canRecord()),
    ]);
    const isUp = reads && records;
    // Without Redis requests are still served, each process counting for itself: told here, but not a failure.
    const { isShared } = this.counters;
    const checks = {
      database: upOrDown(reads),
      usage: upOrDown(records),
      ...(isShared === null ? {} : { redis: upOrDown(isShared) }),
    };
    return isUp
      ? state('ok', checks)
      : { ...state('unavailable', checks), status: 503, headers: ['Retry-After', String(STORE_RETRY_SECONDS)] };
  }

  @Get('live')
  @ApiExcludeEndpoint()
  live(): Answer {
    return state('ok', {});
  }
}

const state = (status: string, checks: object): Answer => computed({ status, checks }, 0);

const upOrDown = (up: boolean): string => (up ? 'up' : 'down');

async function answersInTime(question: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  try {
    return await Promise.race([question.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
