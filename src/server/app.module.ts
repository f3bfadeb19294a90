import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Logger } from 'pino';
import { AnalysisModule } from '../features/analysis/analysis.module.js';
import { AuthModule } from '../features/auth/auth.module.js';
import { KeyGuard } from '../features/auth/key.guard.js';
import type { Config } from '../model/config.js';
import { CONFIG } from '../model/config.token.js';
import { ContentModule } from '../features/content/content.module.js';
import { Database } from '../database/database.js';
import { ErrorFilter } from '../http/envelope/error.filter.js';
import { GamesModule } from '../features/games/games.module.js';
import { HealthModule } from '../features/health/health.module.js';
import { RouteTable } from '../http/route-table.js';
import { UnknownPathController } from '../http/unknown-path.controller.js';
import { ProfilesModule } from '../features/profiles/profiles.module.js';
import { MinuteLimitGuard } from '../features/quota/minute-limit.guard.js';
import { QuotaModule } from '../features/quota/quota.module.js';
import { CLOCK, type Clock } from '../model/clock.js';
import { LOGGER } from '../model/logger.js';
import { RequestShapeGuard } from '../http/validation/request-shape.guard.js';

/** What the process has opened before the application starts. */
export interface Surroundings {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  readonly clock: Clock;
}

@Global()
@Module({})
class SurroundingsModule {
  static of({ config, database, logger, clock }: Surroundings): DynamicModule {
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: Database, useValue: database },
      { provide: LOGGER, useValue: logger },
      { provide: CLOCK, useValue: clock },
    ];
    return { module: SurroundingsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}

/** Takes what no other controller takes, so it is imported last. */
@Module({ controllers: [UnknownPathController], providers: [RouteTable], exports: [RouteTable] })
class UnknownPathModule {}

@Module({})
export class AppModule {
  static with(surroundings: Surroundings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SurroundingsModule.of(surroundings),
        AuthModule,
        ProfilesModule,
        ContentModule,
        GamesModule,
        AnalysisModule,
        QuotaModule,
        HealthModule,
        UnknownPathModule,
      ],
      providers: [
        // In this order: key (401, 403), minute limit (429), shape of the request (400, 413, 415).
        { provide: APP_GUARD, useExisting: KeyGuard },
        { provide: APP_GUARD, useExisting: MinuteLimitGuard },
        { provide: APP_GUARD, useClass: RequestShapeGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
