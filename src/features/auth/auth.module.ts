import { Module } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { ReceiptsModule } from '../../receipts/receipts.module.js';
import { CountersModule } from '../quota/counters.module.js';
import { FailedKeys } from './failed-keys.js';
import { installationSecret } from '../../database/installation-secret.js';
import { KeyFormat } from './key-format.js';
import { KeyGuard } from './key.guard.js';
import { KeyVerifier } from './key-verifier.js';

@Module({
  imports: [ReceiptsModule, CountersModule],
  providers: [
    {
      provide: KeyFormat,
      useFactory: async (database: Database) => new KeyFormat(await installationSecret(database)),
      inject: [Database],
    },
    KeyVerifier,
    FailedKeys,
    KeyGuard,
  ],
  exports: [KeyFormat, KeyGuard],
})
export class AuthModule {}
