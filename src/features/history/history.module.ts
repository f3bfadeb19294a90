import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryQueries } from './history.queries.js';

@Module({ imports: [ProfilesModule], controllers: [HistoryController], providers: [HistoryQueries] })
export class HistoryModule {}
