import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisQueries } from './analysis.queries.js';

@Module({ imports: [ProfilesModule], controllers: [AnalysisController], providers: [AnalysisQueries] })
export class AnalysisModule {}
