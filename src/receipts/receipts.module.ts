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
import { UnsettledRecords } from './unsettled-records.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageStore } from './usage-store.js';
import { WatermarkPublisher } from './watermark-publisher.js';
import { WriterRegistry } from './writer-registry.js';

@Module({
  providers: [
    {
      provide: WriterRegistry,
      useFactory: (database: Database) => new WriterRegistry(database),
      inject: [Database],
    },
    {
      provide: WatermarkPublisher,
      useFactory: (registry: WriterRegistry, clock: Clock, logger: Logger) =>
        new WatermarkPublisher(registry, clock, logger),
      inject: [WriterRegistry, Clock, LOGGER],
    },
    {
      provide: OutageJournal,
      useFactory: async (
        { dataFolder }: Config,
        database: Database,
        logger: Logger,
        registry: WriterRegistry,
        { id }: WatermarkPublisher,
      ) => new OutageJournal(dataFolder, await installationId(database), logger, registry, id),
      inject: [CONFIG, Database, LOGGER, WriterRegistry, WatermarkPublisher],
    },
    {
      provide: UnsettledRecords,
      useFactory: (journal: OutageJournal, logger: Logger) => new UnsettledRecords(journal, logger),
      inject: [OutageJournal, LOGGER],
    },
    {
      provide: UsageRecorder,
      useFactory: (database: Database, unsettled: UnsettledRecords, logger: Logger) =>
        new UsageRecorder(new UsageStore(database), unsettled, logger),
      inject: [Database, UnsettledRecords, LOGGER],
    },
    {
      provide: UncheckedRecords,
      useFactory: (unsettled: UnsettledRecords) => new UncheckedRecords(unsettled),
      inject: [UnsettledRecords],
    },
    RequestCounts,
  ],
  exports: [UsageRecorder, UncheckedRecords, RequestCounts],
})
export class ReceiptsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly unsettled: UnsettledRecords,
    private readonly recorder: UsageRecorder,
    private readonly publisher: WatermarkPublisher,
    private readonly unchecked: UncheckedRecords,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.unsettled.start();
    await this.publisher.start((now) => {
      const watermark = this.recorder.getWatermark(now);
      return watermark === null ? null : Math.min(watermark, this.unchecked.oldestReceivedAt);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.unchecked.close();
    await this.recorder.close();
    const isDeregistered = await this.publisher.close(!this.unsettled.hasAny);
    await this.unsettled.close(!isDeregistered);
  }
}
