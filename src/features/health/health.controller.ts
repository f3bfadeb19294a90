import { Controller, Get } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiOperation } from '@nestjs/swagger';
import { DatabaseHealth } from '../../database/database-health.js';
import { STORE_RETRY_SECONDS } from '../../http/errors/api-error.js';
import { computed, type Answer } from '../../http/envelope/answer.js';
import { LeanExpressAdapter } from '../../http/node/lean-express.adapter.js';
import { MinuteCounters } from '../quota/minute-counters.js';
import { IndexFollower } from '../search/index-follower.js';
import { HealthResponse } from './health-documentation.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';

/** Health checks for load balancers, supervisors and people. They need no key, and are neither recorded nor limited. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly databaseHealth: DatabaseHealth,
    private readonly counters: MinuteCounters,
    private readonly recorder: UsageRecorder,
    private readonly searchIndex: IndexFollower,
    private readonly adapterHost: HttpAdapterHost<LeanExpressAdapter>,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'health',
    summary: 'Check readiness',
    description:
      'For load balancers and people. Answers 200 with `ok`, or 503 with `unavailable` if the database is unreachable or cannot store usage records. Needs no key and is free.',
  })
  @HealthResponse(200, 'Requests are served', 'Health')
  @HealthResponse(503, 'Requests cannot be served', 'Health')
  async ready(): Promise<Answer> {
    // Checks writing, too: a full or locked database can be read, but no request can be recorded.
    const [reads, records, isShared] = await Promise.all([
      this.databaseHealth.isUp(),
      this.recorder.canRecord(),
      // An unreachable Redis is reported but not a failure: each process then counts requests separately.
      this.counters.checkSharedStore(),
    ]);
    const isUp = reads && records;
    const { hasRecentRejection } = this.adapterHost.httpAdapter.traffic.inFlight;
    const checks = {
      database: upOrDown(reads),
      usage: upOrDown(records),
      // Reported but not a failure: taking an overloaded instance out of rotation would overload the others.
      capacity: upOrDown(!hasRecentRejection),
      // Likewise: everything else is answered.
      search: upOrDown(this.searchIndex.isHealthy),
      ...(isShared === null ? {} : { redis: upOrDown(isShared) }),
    };
    return isUp
      ? healthAnswer('ok', checks)
      : { ...healthAnswer('unavailable', checks), status: 503, headers: ['Retry-After', String(STORE_RETRY_SECONDS)] };
  }

  @Get('live')
  @ApiOperation({
    operationId: 'health.live',
    summary: 'Check liveness',
    description:
      'For supervisors that restart hanging processes. Checks no database, so it answers 200 during a database outage, too. Needs no key and is free.',
  })
  @HealthResponse(200, 'The process is alive', 'Liveness')
  live(): Answer {
    return healthAnswer('ok', {});
  }
}

const healthAnswer = (status: string, checks: object): Answer => computed({ status, checks }, 0);

const upOrDown = (up: boolean): string => (up ? 'up' : 'down');
