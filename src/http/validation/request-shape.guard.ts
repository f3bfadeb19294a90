import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import express from 'express';
import { badRequest, bodyTooLarge, notJsonType } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { isPlatform } from '../../model/platforms.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { isTooLarge, MAX_BODY_BYTES } from '../upload.js';
import { refuseRepeated, refuseUnknown } from './request.pipe.js';

const NO_PARAMETERS: ReadonlySet<string> = new Set();

const parseJson = express.json({ limit: MAX_BODY_BYTES, type: 'application/json' });

/** Third stop: unknown parameters and the body. A middleware would read the body before key and limit are checked. */
@Injectable()
export class RequestShapeGuard implements CanActivate {
  constructor(private readonly recorder: UsageRecorder) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { endpoint } = request.context;
    if (endpoint === null || endpoint.operation === 'unknown') return true;
    if (request.originalUrl.includes('?')) {
      const { query } = request;
      if (!endpoint.takesQuery) refuseUnknown(query, NO_PARAMETERS);
      refuseRepeated(query);
      if (typeof query.platform === 'string' && isPlatform(query.platform)) request.context.platform = query.platform;
    }
    return endpoint.takesBody ? this.#readBody(request, http.getResponse<ApiResponse>()) : true;
  }

  async #readBody(request: ApiRequest, response: ApiResponse): Promise<boolean> {
    // The recorder must not wait for this request while its body is uploading.
    this.recorder.leave();
    try {
      return await readBody(request, response);
    } finally {
      this.recorder.enter();
    }
  }
}

async function readBody(request: ApiRequest, response: ApiResponse): Promise<boolean> {
  if (request.headers['content-type'] === undefined || request.is('application/json') === false) throw notJsonType();
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  // The parser turns an empty body into {}.
  if (encoding === undefined && (length === undefined || Number(length) === 0)) throw notJson();
  if (isTooLarge(request)) throw bodyTooLarge();
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  await new Promise<void>((resolve, reject) => {
    // The parser tells that a body is too large when all of it has come.
    if (encoding !== undefined) whenTooLarge(request, () => reject(bodyTooLarge()));
    parseJson(request as never, response as never, (error?: unknown) =>
      error === undefined ? resolve() : reject(bodyError(error)),
    );
  });
  if (request.body === undefined) throw notJson();
  return true;
}

function whenTooLarge(request: ApiRequest, tell: () => void): void {
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MAX_BODY_BYTES) tell();
  });
}

/** The parser's errors carry a status: too large, an encoding or charset that is not supported, or not JSON. */
function bodyError(error: unknown): Error {
  const status = error instanceof Error && 'status' in error ? error.status : 400;
  if (status === 413) return bodyTooLarge();
  if (status === 415) return notJsonType();
  return notJson();
}

const notJson = () => badRequest('Request body must be valid JSON');
