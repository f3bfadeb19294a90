import { Module } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { installationSecret } from '../../database/installation-secret.js';
import { ReceiptsModule } from '../../receipts/receipts.module.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { ErrorFilter } from './error.filter.js';
import { WeakEtags } from './etag.js';
import { RequestLog } from './request-log.js';
import { Settlement } from './settlement.js';

/** Provides what every response passes: the interceptor or the error filter, then the settlement. */
@Module({
  imports: [ReceiptsModule],
  providers: [
    {
      provide: WeakEtags,
      useFactory: async (database: Database) => WeakEtags.load(await installationSecret(database)),
      inject: [Database],
    },
    RequestLog,
    Settlement,
    EnvelopeInterceptor,
    ErrorFilter,
  ],
  exports: [EnvelopeInterceptor, ErrorFilter, Settlement],
})
export class EnvelopeModule {}
