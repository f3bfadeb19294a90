import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Logger } from 'pino';
import { Database } from '../../database/database.js';
import type { Config } from '../../model/config.js';
import { CONFIG } from '../../model/config.token.js';
import { Answers } from '../../http/envelope/answers.js';
import { WeakEtags } from '../../http/envelope/etag.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { CLOCK, type Clock } from '../../model/clock.js';
import { LOGGER } from '../../model/logger.js';
import { RECEIPTS } from '../../receipts/receipts.js';
import { MINUTE_MS, ProcessCounters } from './minute-counters.js';
import { MinuteLimitGuard } from './minute-limit.guard.js';
import { RedisCounters } from './redis-counters.js';
import { UsageReceipts } from '../../receipts/usage-receipts.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { UsageStore } from '../../receipts/usage-store.js';
import { UsageReports } from './usage-report.js';
import { UsageController } from './usage.controller.js';

/** The counters behind the minute limit: Redis where it is set, this process otherwise. */
@Module({
  providers: [
    { provide: ProcessCounters, useFactory: (clock: Clock) => new ProcessCounters(clock), inject: [CLOCK] },
    {
      provide: RedisCounters,
      useFactory: (config: Config, fallback: ProcessCounters, logger: Logger): Promise<RedisCounters> | null =>
        config.redisUrl === null ? null : RedisCounters.connect(config.redisUrl, fallback, logger),
      inject: [CONFIG, ProcessCounters, LOGGER],
    },
  ],
  exports: [ProcessCounters, RedisCounters],
})
class CountersModule {}

@Global()
@Module({
  imports: [
    CountersModule,
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [CONFIG, ProcessCounters, RedisCounters],
      useFactory: (config: Config, own: ProcessCounters, shared: RedisCounters | null): ThrottlerModuleOptions => ({
        throttlers: [{ name: 'minute', ttl: MINUTE_MS, limit: config.rateLimitPerMinute }],
        storage: shared ?? own,
      }),
    }),
  ],
  controllers: [UsageController],
  providers: [
    { provide: UsageStore, useFactory: (database: Database) => new UsageStore(database), inject: [Database] },
    {
      provide: UsageRecorder,
      useFactory: (store: UsageStore, logger: Logger) => new UsageRecorder(store, logger),
      inject: [UsageStore, LOGGER],
    },
    UsageReports,
    RequestCounts,
    {
      provide: RECEIPTS,
      useFactory: (recorder: UsageRecorder, counts: RequestCounts) => new UsageReceipts(recorder, counts),
      inject: [UsageRecorder, RequestCounts],
    },
    MinuteLimitGuard,
    { provide: WeakEtags, useFactory: () => WeakEtags.load() },
    Answers,
  ],
  exports: [RECEIPTS, MinuteLimitGuard, Answers, UsageRecorder, CountersModule, ThrottlerModule],
})
export class QuotaModule implements OnApplicationShutdown {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly counters: RedisCounters,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.recorder.close();
    await (this.counters as RedisCounters | null)?.close();
  }
}
