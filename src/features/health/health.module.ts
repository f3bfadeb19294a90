import { Module } from '@nestjs/common';
import { ReceiptsModule } from '../../receipts/receipts.module.js';
import { CountersModule } from '../quota/counters.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [CountersModule, ReceiptsModule], controllers: [HealthController] })
export class HealthModule {}
