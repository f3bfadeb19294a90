import { Module } from '@nestjs/common';
import { ReceiptsModule } from '../../receipts/receipts.module.js';
import { CountersModule } from '../quota/counters.module.js';
import { SearchModule } from '../search/search.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [CountersModule, ReceiptsModule, SearchModule], controllers: [HealthController] })
export class HealthModule {}
