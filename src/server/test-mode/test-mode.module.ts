import { join } from 'node:path';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, type ModuleRef } from '@nestjs/core';
import { Database } from '../../database/database.js';
import { KeyGuard } from '../../features/auth/key.guard.js';
import { MinuteLimitGuard } from '../../features/quota/minute-limit.guard.js';
import { OWN_SEARCH_FOLDER } from '../../features/search/index-reader.js';
import { EnvelopeInterceptor } from '../../http/envelope/envelope.interceptor.js';
import { ErrorFilter } from '../../http/envelope/error.filter.js';
import { RequestShapeGuard } from '../../http/validation/request-shape.guard.js';
import { Clock } from '../../model/clock.js';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { ApiDescription } from '../agents/api-description.js';
import { DATA_MODULES } from '../data-modules.js';
import { NullMembers } from './null-members.js';
import { TestEnvelopeInterceptor } from './test-envelope.interceptor.js';

/** Root of the application that answers test keys: the data features over the sample data, and all else of the service. */
@Module({})
export class TestModeModule {
  /** @param service root module of the service */
  static with(service: ModuleRef, sample: Database): DynamicModule {
    const anywhere = { strict: false };
    const config = service.get<Config>(CONFIG, anywhere);
    const nullMembers = new NullMembers(service.get(ApiDescription, anywhere).document);
    const interceptor = new TestEnvelopeInterceptor(service.get(EnvelopeInterceptor, anywhere), nullMembers);
    return {
      module: TestModeModule,
      global: true,
      imports: [...DATA_MODULES],
      providers: [
        { provide: Database, useValue: sample },
        { provide: Clock, useValue: service.get(Clock, anywhere) },
        { provide: CONFIG, useValue: config },
        { provide: OWN_SEARCH_FOLDER, useValue: join(config.dataFolder, 'search-sample') },
        { provide: LOGGER, useValue: service.get(LOGGER, anywhere) },
        // The service's own, in its order: one recorder and one set of counters for all keys.
        { provide: APP_GUARD, useValue: service.get(KeyGuard, anywhere) },
        { provide: APP_GUARD, useValue: service.get(MinuteLimitGuard, anywhere) },
        { provide: APP_GUARD, useValue: new RequestShapeGuard(service.get(UsageRecorder, anywhere)) },
        { provide: APP_INTERCEPTOR, useValue: interceptor },
        { provide: APP_FILTER, useValue: service.get(ErrorFilter, anywhere) },
      ],
      exports: [Database, Clock, CONFIG, LOGGER, OWN_SEARCH_FOLDER],
    };
  }
}
