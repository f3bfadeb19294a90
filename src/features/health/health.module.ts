import { Module } from '@nestjs/common';
import { CountersModule } from '../quota/counters.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [CountersModule], controllers: [HealthController] })
export class HealthModule {}
