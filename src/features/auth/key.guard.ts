import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { keyInvalid, keyMissing, limitExceeded, type ApiError } from '../../http/api-error.js';
import type { ApiRequest } from '../../http/lean-express.adapter.js';
import { operationOf } from '../../model/operation.js';
import { RECEIPTS, type Receipts } from '../../receipts/receipts.js';
import { FailedKeys } from './failed-keys.js';
import { KeyFormat } from './key-format.js';
import { KeyVerifier } from './key-verifier.js';

/** First stop of every request: without a valid key nothing else is looked at (401, 403, 429 for guessing). */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly format: KeyFormat,
    private readonly verifier: KeyVerifier,
    private readonly failedKeys: FailedKeys,
    @Inject(RECEIPTS) private readonly receipts: Receipts,
  ) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const operation = operationOf(execution.getHandler() as (...args: never[]) => unknown);
    if (operation === null) return true;
    const request = execution.switchToHttp().getRequest<ApiRequest>();
    request.context.operation = operation;
    return this.#admit(request);
  }

  async #admit(request: ApiRequest): Promise<boolean> {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string' || key === '') throw keyMissing();
    const keyHash = this.format.hashOf(key);
    if (keyHash === null) throw this.#refusal(request);
    if (this.failedKeys.wasRefused(keyHash) && this.failedKeys.isSlowedDown(addressOf(request))) {
      throw this.#refusal(request);
    }
    const caller = await this.verifier.callerOf(keyHash);
    if (caller === null) {
      this.failedKeys.rememberRefusal(keyHash);
      throw this.#refusal(request);
    }
    request.context.caller = caller;
    this.receipts.expect();
    return true;
  }

  #refusal(request: ApiRequest): ApiError {
    const waitSeconds = this.failedKeys.count(addressOf(request));
    return waitSeconds === null ? keyInvalid() : limitExceeded(waitSeconds);
  }
}

const addressOf = (request: ApiRequest): string => request.ip ?? '';
