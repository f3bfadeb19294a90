import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../model/clock.js';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import { MinuteCounters } from './minute-counters.js';
import { ProcessCounters } from './process-counters.js';
import { RedisCounters } from './redis-counters.js';

/** Provides the minute counters: in Redis if `REDIS_URL` is set, otherwise in the process. */
@Module({
  providers: [
    {
      provide: MinuteCounters,
      useFactory: ({ redisUrl }: Config, clock: Clock, logger: Logger): MinuteCounters | Promise<MinuteCounters> => {
        const local = new ProcessCounters(clock);
        return redisUrl === null ? local : RedisCounters.connect(redisUrl, local, logger);
      },
      inject: [CONFIG, Clock, LOGGER],
    },
  ],
  exports: [MinuteCounters],
})
export class CountersModule implements OnApplicationShutdown {
  constructor(private readonly counters: MinuteCounters) {}

  onApplicationShutdown(): void {
    this.counters.close();
  }
}
