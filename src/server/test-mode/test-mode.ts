import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction } from 'express';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.js';
import { KeyFormat, isTestKey } from '../../features/auth/key-format.js';
import type { ApiRequest, ApiResponse } from '../../http/api-request.js';
import { serviceUnavailable } from '../../http/errors/api-error.js';
import type { LeanExpressAdapter } from '../../http/node/lean-express.adapter.js';
import { rejectRequest } from '../../http/rejection.js';
import { LOGGER } from '../../model/logger.js';
import { RateLimitedLog } from '../../model/rate-limited-log.js';
import { OPEN_SAMPLE_DATABASE } from '../app-context.module.js';
import { applicationOptions } from '../application-options.js';
import { TestModeAdapter } from './test-mode.adapter.js';
import { TestModeModule } from './test-mode.module.js';

/** Answers requests with a test key from the sample data, by a second application that the first such request starts. */
@Injectable()
export class TestMode implements OnApplicationShutdown {
  readonly #failures: RateLimitedLog;
  #answer: Express | null = null;
  #starting: Promise<NestExpressApplication> | null = null;
  #sample: Database | null = null;

  constructor(
    private readonly service: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
    private readonly keys: KeyFormat,
    @Inject(OPEN_SAMPLE_DATABASE) private readonly openSample: () => Promise<Database>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#failures = new RateLimitedLog(logger, 'test keys cannot be answered');
  }

  /** Passes a request on to the second application if its key is a test key, otherwise to the next middleware. */
  handle(request: ApiRequest, response: ApiResponse, next: NextFunction): void {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || !isTestKey(key) || !this.#isAnswered(request, key)) next();
    else if (this.#answer === null) void this.#startAndAnswer(request, response, next);
    else this.#answer(request as never, response as never, next);
  }

  async onApplicationShutdown(): Promise<void> {
    const app = await this.#starting?.catch(() => null);
    await app?.close();
    await this.#sample?.close();
  }

  /** Leaves to the service what it rejects in any case, so that made-up keys do not start the application. */
  #isAnswered({ method, rejection }: ApiRequest, key: string): boolean {
    const isKnownMethod = method === 'GET' || method === 'POST' || method === 'HEAD';
    return isKnownMethod && rejection === undefined && this.keys.hashKey(key) !== null;
  }

  async #startAndAnswer(request: ApiRequest, response: ApiResponse, next: NextFunction): Promise<void> {
    try {
      this.#starting ??= this.#start();
      const app = await this.#starting;
      this.#answer = app.getHttpAdapter().getInstance() as Express;
    } catch (error) {
      // The next request tries again.
      this.#starting = null;
      this.#failures.warn({ err: error });
      rejectRequest(request, serviceUnavailable());
      next();
      return;
    }
    this.#answer(request as never, response as never, next);
  }

  async #start(): Promise<NestExpressApplication> {
    this.#sample = await this.openSample();
    try {
      const app = await NestFactory.create<NestExpressApplication>(
        TestModeModule.with(this.service, this.#sample),
        new TestModeAdapter(this.adapterHost.httpAdapter as LeanExpressAdapter),
        applicationOptions(this.logger),
      );
      return await app.init();
    } catch (error) {
      await this.#sample.close();
      this.#sample = null;
      throw error;
    }
  }
}
