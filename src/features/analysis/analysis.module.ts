import { Global, Module } from '@nestjs/common';
import { AvailableDocuments } from '../profiles/available-documents.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { AnalysisController } from './analysis.controller.js';
import { AnalysisQueries } from './analysis.queries.js';

/** Global, so that `profiles` gets `AvailableDocuments` without importing this module, which imports it. */
@Global()
@Module({
  imports: [ProfilesModule],
  controllers: [AnalysisController],
  providers: [AnalysisQueries, { provide: AvailableDocuments, useExisting: AnalysisQueries }],
  exports: [AvailableDocuments],
})
export class AnalysisModule {}
