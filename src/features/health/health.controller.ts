import { Controller, Get } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiOperation } from '@nestjs/swagger';
import { Database } from '../../database/database.js';
import { STORE_RETRY_SECONDS } from '../../http/api-error.js';
import { computed, type Answer } from '../../http/envelope/answer.js';
import { LeanExpressAdapter } from '../../http/node/lean-express.adapter.js';
import { MinuteCounters } from '../quota/minute-counters.js';
import { HealthResponse } from './health-documentation.js';
import { within } from '../../model/within.js';
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
    private readonly adapterHost: HttpAdapterHost<LeanExpressAdapter>,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'health',
    summary: 'Ask whether requests can be served',
    description:
      'For load balancers and people: 200 and `ok`, or 503 and `unavailable` where the database cannot be reached, or takes no usage records. Needs no key, costs nothing.',
  })
  @HealthResponse(200, 'Requests are served', 'Health')
  @HealthResponse(503, 'Requests cannot be served', 'Health')
  async ready(): Promise<Answer> {
    // Both: a database that is full or locked can still be read, but no request can be answered.
    const [reads, records] = await Promise.all([
      answersInTime(this.database.ping().then(() => true)),
      answersInTime(this.recorder.canRecord()),
    ]);
    const isUp = reads && records;
    // Without Redis requests are still served, each process counting for itself: told here, but not a failure.
    const { isShared } = this.counters;
    const { isOverloaded } = this.adapterHost.httpAdapter.traffic.inFlight;
    const checks = {
      database: upOrDown(reads),
      usage: upOrDown(records),
      // Others are served meanwhile: an instance taken out of rotation would only overload the rest.
      capacity: upOrDown(!isOverloaded),
      ...(isShared === null ? {} : { redis: upOrDown(isShared) }),
    };
    return isUp
      ? state('ok', checks)
      : { ...state('unavailable', checks), status: 503, headers: ['Retry-After', String(STORE_RETRY_SECONDS)] };
  }

  @Get('live')
  @ApiOperation({
    operationId: 'health.live',
    summary: 'Ask whether the process is alive',
    description:
      'For a supervisor that restarts what hangs: it asks no store, so it is 200 also while the database is away. Needs no key, costs nothing.',
  })
  @HealthResponse(200, 'The process is alive', 'Liveness')
  live(): Answer {
    return state('ok', {});
  }
}

const state = (status: string, checks: object): Answer => computed({ status, checks }, 0);

const upOrDown = (up: boolean): string => (up ? 'up' : 'down');

const answersInTime = (question: Promise<boolean>): Promise<boolean> =>
  within(
    question.catch(() => false),
    PING_MS,
    false,
  );
