import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, type Config } from '../model/config.js';
import { LOGGER } from '../model/logger.js';
import { RequestCounts } from './request-counts.js';
import { SqliteUsageStore } from './sqlite-usage-store.js';
import { UsageRecorder } from './usage-recorder.js';
import { USAGE_STORE, type UsageStore } from './usage-store.js';

/** What answered requests cost, and their durable records. */
@Module({
  providers: [
    {
      provide: USAGE_STORE,
      useFactory: async ({ database }: Config): Promise<UsageStore> => {
        if (database.dialect === 'sqlite') return new SqliteUsageStore(database.usagePath);
        const { MysqlUsageStore } = await import('./mysql-usage-store.js');
        return new MysqlUsageStore(database.url);
      },
      inject: [CONFIG],
    },
    {
      provide: UsageRecorder,
      useFactory: (store: UsageStore, logger: Logger) => new UsageRecorder(store, logger),
      inject: [USAGE_STORE, LOGGER],
    },
    RequestCounts,
  ],
  exports: [UsageRecorder, RequestCounts],
})
export class ReceiptsModule implements OnApplicationShutdown {
  constructor(private readonly recorder: UsageRecorder) {}

  async onApplicationShutdown(): Promise<void> {
    await this.recorder.close();
  }
}
