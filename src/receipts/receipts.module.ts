import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { installationId } from '../database/installation-secret.js';
import { Clock } from '../model/clock.js';
import { CONFIG, type Config } from '../model/config.js';
import { LOGGER } from '../model/logger.js';
import { OutageJournal } from './outage-journal.js';
import { RequestCounts } from './request-counts.js';
import { UncheckedRecords } from './unchecked-records.js';
import { Unsettled } from './unsettled.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageStore } from './usage-store.js';
import { UsageWriter } from './usage-writer.js';
import { WriterRegistry } from './writer-registry.js';

/** What answered requests cost, and their durable records. */
@Module({
  providers: [
    {
      provide: WriterRegistry,
      useFactory: (database: Database) => new WriterRegistry(database),
      inject: [Database],
    },
    {
      provide: UsageWriter,
      useFactory: (registry: WriterRegistry, clock: Clock, logger: Logger) => new UsageWriter(registry, clock, logger),
      inject: [WriterRegistry, Clock, LOGGER],
    },
    {
      provide: OutageJournal,
      useFactory: async (
        { dataFolder }: Config,
        database: Database,
        logger: Logger,
        registry: WriterRegistry,
        { id }: UsageWriter,
      ) => new OutageJournal(dataFolder, await installationId(database), logger, registry, id),
      inject: [CONFIG, Database, LOGGER, WriterRegistry, UsageWriter],
    },
    {
      provide: Unsettled,
      useFactory: (journal: OutageJournal, logger: Logger) => new Unsettled(journal, logger),
      inject: [OutageJournal, LOGGER],
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
    private readonly writer: UsageWriter,
    private readonly unchecked: UncheckedRecords,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.unsettled.start();
    await this.writer.start((now) => {
      const settledUntil = this.recorder.settledUntil(now);
      return settledUntil === null ? null : Math.min(settledUntil, this.unchecked.receivedFrom);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.unchecked.close();
    await this.recorder.close();
    const hasLeft = await this.writer.close(!this.unsettled.hasAny);
    await this.unsettled.close(!hasLeft);
  }
}
