import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AuthModule } from '../features/auth/auth.module.js';
import { KeyGuard } from '../features/auth/key.guard.js';
import { HealthModule } from '../features/health/health.module.js';
import { MinuteLimitGuard } from '../features/quota/minute-limit.guard.js';
import { QuotaModule } from '../features/quota/quota.module.js';
import { EnvelopeInterceptor } from '../http/envelope/envelope.interceptor.js';
import { EnvelopeModule } from '../http/envelope/envelope.module.js';
import { ErrorFilter } from '../http/envelope/error.filter.js';
import { UnknownPathModule } from '../http/unknown-path.module.js';
import { RequestShapeGuard } from '../http/validation/request-shape.guard.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { AppContextModule, type AppContext } from './app-context.module.js';
import { DATA_MODULES } from './data-modules.js';
import { TestMode } from './test-mode/test-mode.js';

@Module({})
export class AppModule {
  static with(context: AppContext): DynamicModule {
    return {
      module: AppModule,
      imports: [
        AppContextModule.with(context),
        ReceiptsModule,
        EnvelopeModule,
        AuthModule,
        ...DATA_MODULES,
        QuotaModule,
        HealthModule,
        AgentsModule,
        // Last: its route matches everything.
        UnknownPathModule,
      ],
      providers: [
        TestMode,
        // In this order: key (401, 403), minute limit (429), shape of the request (400, 413, 415).
        { provide: APP_GUARD, useExisting: KeyGuard },
        { provide: APP_GUARD, useExisting: MinuteLimitGuard },
        { provide: APP_GUARD, useClass: RequestShapeGuard },
        { provide: APP_INTERCEPTOR, useExisting: EnvelopeInterceptor },
        { provide: APP_FILTER, useExisting: ErrorFilter },
      ],
    };
  }
}
