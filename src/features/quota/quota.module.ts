import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { callerOf } from '../../http/api-request.js';
import { CountersModule } from './counters.module.js';
import { MINUTE_MS, MinuteCounters } from './minute-counters.js';
import { MinuteLimitGuard } from './minute-limit.guard.js';
import { UsageReports } from './usage-report.js';
import { UsageController } from './usage.controller.js';

const throttlerOptions = (counters: MinuteCounters): ThrottlerModuleOptions => ({
  throttlers: [
    {
      ttl: MINUTE_MS,
      limit: (execution) => callerOf(execution).rateLimit,
    },
  ],
  storage: counters,
});

@Module({
  imports: [
    CountersModule,
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [MinuteCounters],
      useFactory: throttlerOptions,
    }),
  ],
  controllers: [UsageController],
  providers: [MinuteLimitGuard, UsageReports],
  exports: [MinuteLimitGuard],
})
export class QuotaModule {}
