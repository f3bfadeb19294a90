import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { installationName } from '../database/installation-secret.js';
import { CONFIG, type Config } from '../model/config.js';
import { LOGGER } from '../model/logger.js';
import { OutageJournal } from './outage-journal.js';
import { RequestCounts } from './request-counts.js';
import { UncheckedRecords } from './unchecked-records.js';
import { Unsettled } from './unsettled.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageStore } from './usage-store.js';

/** What answered requests cost, and their durable records. */
@Module({
  providers: [
    {
      provide: Unsettled,
      useFactory: async ({ dataFolder }: Config, database: Database, logger: Logger) =>
        new Unsettled(new OutageJournal(dataFolder, await installationName(database), logger), logger),
      inject: [CONFIG, Database, LOGGER],
    },
    {
      provide: UsageRecorder,
      useFactory: (database: Database, unsettled: Unsettled, logger: Logger) =>
        new UsageRecorder(new UsageStore(database), unsettled, logger),
      inject: [Database, Unsettled, LOGGER],
    },
    {
      provide: UncheckedRecords,
      useFactory: (unsettled: Unsettled) => new UncheckedRecords(unsettled),
      inject: [Unsettled],
    },
    RequestCounts,
  ],
  exports: [UsageRecorder, UncheckedRecords, RequestCounts],
})
export class ReceiptsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly unsettled: Unsettled,
    private readonly recorder: UsageRecorder,
    private readonly unchecked: UncheckedRecords,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.unsettled.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.unchecked.close();
    await this.recorder.close();
  }
}
