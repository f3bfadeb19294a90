import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { CountersModule } from './counters.module.js';
import { MinuteCounters } from './minute-counters.js';
import { MINUTE_THROTTLER, MinuteLimitGuard } from './minute-limit.guard.js';
import { UsageReports } from './usage-report.js';
import { UsageController } from './usage.controller.js';

const throttlerOptions = (counters: MinuteCounters): ThrottlerModuleOptions => ({
  throttlers: [MINUTE_THROTTLER],
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
