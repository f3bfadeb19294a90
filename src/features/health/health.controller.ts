import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Database } from '../../database/database.js';
import { ApiResponse as HttpResponse } from '../../http/lean-express.adapter.js';
import { RedisCounters } from '../quota/redis-counters.js';

/** How long a store may take to answer before it counts as down. */
const PING_MS = 2000;

/** Needs no key, is not recorded and not limited: for load balancers and people. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    @Inject(RedisCounters) private readonly counters: RedisCounters | null,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'health', summary: 'Whether requests can be served: `ok`, or 503 and `unavailable`' })
  @ApiResponse({ status: 200, description: 'Requests are served' })
  @ApiResponse({ status: 503, description: 'The database cannot be reached' })
  async ready(@Res() response: HttpResponse): Promise<void> {
    const database = await answersInTime(this.database.ping());
    // Without Redis requests are still served, each process counting for itself: told here, but not a failure.
    const redis = this.counters === null ? {} : { redis: upOrDown(this.counters.available) };
    send(response, database ? 200 : 503, {
      status: database ? 'ok' : 'unavailable',
      checks: { database: upOrDown(database), ...redis },
    });
  }

  @Get('live')
  @ApiExcludeEndpoint()
  live(@Res() response: HttpResponse): void {
    send(response, 200, { status: 'ok', checks: {} });
  }
}

const upOrDown = (up: boolean): string => (up ? 'up' : 'down');

async function answersInTime(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_MS);
  });
  const answered = ping.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

function send(response: HttpResponse, status: number, payload: object): void {
  const body = Buffer.from(JSON.stringify({ payload, meta: { received_at: new Date().toISOString() } }));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Request-Id': response.req.context.requestId,
    ...(status === 503 ? { 'Retry-After': '5' } : {}),
  });
  response.end(body);
}
