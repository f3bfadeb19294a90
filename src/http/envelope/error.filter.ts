import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import { isAccessDenied } from '../../database/access-denied.js';
import { StoreUnavailableError } from '../../database/database.js';
import { DatabaseHealth } from '../../database/database-health.js';
import { RateLimitedLog } from '../../model/rate-limited-log.js';
import { OutcomeUnknownError } from '../../receipts/record-batch.js';
import {
  ApiError,
  bodyTooLarge,
  fixedError,
  internalError,
  malformedRequest,
  notJsonType,
  serviceUnavailable,
} from '../errors/api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { LOGGER } from '../../model/logger.js';
import { createErrorOutcome } from './error-outcome.js';
import { Settlement } from './settlement.js';

/** Maps anything that a guard, pipe or handler throws to an `ApiError`, and answers with it. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #unanswered: RateLimitedLog;

  constructor(
    private readonly settlement: Settlement,
    private readonly adapterHost: HttpAdapterHost,
    private readonly databaseHealth: DatabaseHealth,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#unanswered = new RateLimitedLog(logger, 'a request gets no answer');
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    if (thrown instanceof OutcomeUnknownError) {
      this.#leaveUnanswered(request, response, thrown);
      return;
    }
    this.#answer(request, response, this.#toApiError(thrown, request)).catch((error: unknown) => {
      this.#leaveUnanswered(request, response, error);
    });
  }

  /** Closes the connection; otherwise the client would wait forever. */
  #leaveUnanswered(request: ApiRequest, response: ApiResponse, error: unknown): void {
    request.context.leaveTurn();
    this.#unanswered.warn({ request_id: request.context.requestId, err: error });
    response.destroy();
  }

  async #answer(request: ApiRequest, response: ApiResponse, error: ApiError): Promise<void> {
    const reply = await this.settlement.settle(request, createErrorOutcome(request.context, error));
    this.adapterHost.httpAdapter.reply(response, reply, reply.status);
  }

  #toApiError(thrown: unknown, request: ApiRequest): ApiError {
    if (thrown instanceof ApiError) return thrown;
    const details = { request_id: request.context.requestId, err: thrown };
    if (thrown instanceof StoreUnavailableError || isAccessDenied(thrown)) {
      this.databaseHealth.recordFailure(details);
      return serviceUnavailable();
    }
    const status = thrown instanceof HttpException ? thrown.getStatus() : statusOf(thrown);
    if (status === 413) return bodyTooLarge();
    if (status === 415) return notJsonType();
    if (status === 404) return fixedError('path_not_found');
    if (status >= 400 && status < 500) return malformedRequest('Bad request');
    this.logger.error(details, 'request failed');
    return internalError();
  }
}

/** Returns the status that Express's own errors have, otherwise 500. */
function statusOf(thrown: unknown): number {
  return thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number' ? thrown.status : 500;
}
