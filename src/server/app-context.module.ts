import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { DatabaseHealth } from '../database/database-health.js';
import { Clock, SystemClock } from '../model/clock.js';
import { CONFIG, type Config } from '../model/config.js';
import { LOGGER } from '../model/logger.js';

/** Objects that the process creates before the application. */
export interface AppContext {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  /** Opens a database with the sample data, which answers test keys. */
  readonly openSampleDatabase: () => Promise<Database>;
}

/** Token of `AppContext.openSampleDatabase`. */
export const OPEN_SAMPLE_DATABASE = Symbol('open sample database');

/** Provides the application context, the clock and the health of the database to every module. */
@Global()
@Module({})
export class AppContextModule implements OnApplicationShutdown {
  constructor(private readonly databaseHealth: DatabaseHealth) {}

  static with({ config, database, logger, openSampleDatabase }: AppContext): DynamicModule {
    return {
      module: AppContextModule,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Database, useValue: database },
        { provide: LOGGER, useValue: logger },
        { provide: OPEN_SAMPLE_DATABASE, useValue: openSampleDatabase },
        { provide: Clock, useClass: SystemClock },
        { provide: DatabaseHealth, useValue: new DatabaseHealth(database, logger) },
      ],
      exports: [CONFIG, Database, LOGGER, OPEN_SAMPLE_DATABASE, Clock, DatabaseHealth],
    };
  }

  onApplicationShutdown(): void {
    this.databaseHealth.close();
  }
}
