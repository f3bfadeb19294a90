import { Module } from '@nestjs/common';
import { ReceiptsModule } from '../../receipts/receipts.module.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { ErrorFilter } from './error.filter.js';
import { WeakEtags } from './etag.js';
import { Receipts } from './receipts.js';

/** What every answer passes: successes the interceptor, errors the filter, both the receipts. */
@Module({
  imports: [ReceiptsModule],
  providers: [{ provide: WeakEtags, useFactory: () => WeakEtags.load() }, Receipts, EnvelopeInterceptor, ErrorFilter],
  exports: [EnvelopeInterceptor, ErrorFilter],
})
export class EnvelopeModule {}
