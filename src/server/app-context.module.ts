import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { Clock, SystemClock } from '../model/clock.js';
import { CONFIG, type Config } from '../model/config.js';
import { LOGGER } from '../model/logger.js';

/** Objects that the process creates before the application. */
export interface AppContext {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
}

/** Provides the application context and the clock to every module. */
@Global()
@Module({})
export class AppContextModule {
  static with({ config, database, logger }: AppContext): DynamicModule {
    return {
      module: AppContextModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Database, useValue: database },
        { provide: LOGGER, useValue: logger },
        { provide: Clock, useClass: SystemClock },
      ],
      exports: [CONFIG, Database, LOGGER, Clock],
    };
  }
}
