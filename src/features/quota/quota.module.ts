import { Module, type ExecutionContext } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { ApiRequest } from '../../http/api-request.js';
import { CONFIG, type Config } from '../../model/config.js';
import { CountersModule } from './counters.module.js';
import { MINUTE_MS, MinuteCounters } from './minute-counters.js';
import { MinuteLimitGuard } from './minute-limit.guard.js';
import { UsageReports } from './usage-report.js';
import { UsageController } from './usage.controller.js';

const throttlerOptions = (config: Config, counters: MinuteCounters): ThrottlerModuleOptions => ({
  throttlers: [
    {
      name: 'minute',
      ttl: MINUTE_MS,
      limit: (execution: ExecutionContext) =>
        execution.switchToHttp().getRequest<ApiRequest>().context.caller?.rateLimit ?? config.rateLimitPerMinute,
    },
  ],
  storage: counters,
});

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [CountersModule],
      inject: [CONFIG, MinuteCounters],
      useFactory: throttlerOptions,
    }),
  ],
  controllers: [UsageController],
  providers: [MinuteLimitGuard, UsageReports],
  exports: [MinuteLimitGuard],
})
export class QuotaModule {}
