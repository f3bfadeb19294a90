import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller.js';
import { HistoryQueries } from './history.queries.js';

@Module({ controllers: [HistoryController], providers: [HistoryQueries] })
export class HistoryModule {}
