import { Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { LOGGER } from '../model/logger.js';
import { RequestCounts } from './request-counts.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageStore } from './usage-store.js';

/** What answered requests cost, and their durable records. */
@Module({
  providers: [
    {
      provide: UsageRecorder,
      useFactory: (database: Database, logger: Logger) => new UsageRecorder(new UsageStore(database), logger),
      inject: [Database, LOGGER],
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
