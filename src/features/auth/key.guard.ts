import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { StoreUnavailableError } from '../../database/database.js';
import { keyInvalid, keyMissing, limitExceeded, originNotAllowed, type ApiError } from '../../http/errors/api-error.js';
import type { ApiRequest } from '../../http/api-request.js';
import { isPreflight } from '../../http/cross-origin.js';
import type { Caller } from '../../http/request-context.js';
import { ENDPOINT } from '../../http/envelope/endpoint.js';
import type { EndpointRules } from '../../http/envelope/endpoint-rules.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { networkOf } from './caller-network.js';
import { FailedKeys } from './failed-keys.js';
import { KeyFormat } from './key-format.js';
import { KeyVerifier } from './key-verifier.js';

/** Authenticates a request before anything else is checked. Answers 401, 403, or 429 to an address that guesses keys. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly format: KeyFormat,
    private readonly verifier: KeyVerifier,
    private readonly failedKeys: FailedKeys,
    private readonly recorder: UsageRecorder,
    private readonly reflector: Reflector,
  ) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const endpoint = this.reflector.get<EndpointRules | undefined>(ENDPOINT, execution.getHandler());
    if (endpoint === undefined) return true;
    const request = execution.switchToHttp().getRequest<ApiRequest>();
    request.context.endpoint = endpoint;
    return this.#admit(request);
  }

  async #admit(request: ApiRequest): Promise<boolean> {
    request.context.caller = await this.authenticate(request.headers['x-api-key'], request);
    this.recorder.beginExpected();
    return true;
  }

  /** Returns the holder of a key. @throws ApiError 401, 403, or 429 for a network that sends too many invalid keys */
  async authenticate(key: string | readonly string[] | undefined, request: ApiRequest): Promise<Caller> {
    const { context } = request;
    context.arrival ??= this.recorder.beginArrival(context.receivedAt);
    if (typeof key !== 'string' || key === '') {
      throw isPreflight(request) ? originNotAllowed() : keyMissing(request.headers.authorization);
    }
    const keyHash = this.format.hashKey(key);
    if (keyHash === null) throw await this.#countFailure(request);
    if (this.failedKeys.wasRejected(keyHash) && this.failedKeys.isLimited(clientNetwork(request))) {
      throw await this.#countFailure(request);
    }
    const caller = await this.verifier.findCaller(keyHash).catch((error: unknown) => {
      request.context.isKeyUnchecked = error instanceof StoreUnavailableError;
      throw error;
    });
    if (typeof caller === 'string') {
      // An expired key is looked up each time, because the operator may prolong it.
      if (caller === 'invalid') this.failedKeys.recordRejection(keyHash);
      throw await this.#countFailure(request);
    }
    context.unsentKeyId = caller.keyId;
    context.isTest = caller.isTest;
    return caller;
  }

  async #countFailure(request: ApiRequest): Promise<ApiError> {
    const waitSeconds = await this.failedKeys.countFailure(clientNetwork(request));
    return waitSeconds === null
      ? keyInvalid(request.headers['x-api-key'])
      : limitExceeded('too_many_invalid_keys', waitSeconds);
  }
}

const clientNetwork = (request: ApiRequest): string => networkOf(request.ip ?? '');
