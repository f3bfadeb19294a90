import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../model/clock.js';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import { MinuteCounters } from './minute-counters.js';
import { ProcessCounters } from './process-counters.js';
import { RedisCounters } from './redis-counters.js';

/** The counters behind the minute limit: in Redis where it is set, in this process otherwise. */
@Module({
  providers: [
    {
      provide: MinuteCounters,
      useFactory: ({ redisUrl }: Config, clock: Clock, logger: Logger): MinuteCounters | Promise<MinuteCounters> => {
        const own = new ProcessCounters(clock);
        return redisUrl === null ? own : RedisCounters.connect(redisUrl, own, logger);
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
