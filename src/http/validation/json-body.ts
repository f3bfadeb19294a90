import { isUtf8 } from 'node:buffer';
import express from 'express';
import { ApiError, badRequest, bodyTooLarge, notJsonType } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../../model/json-depth.js';
import { isTooLarge, MAX_BODY_BYTES } from '../upload.js';

const parseJson = express.json({
  limit: MAX_BODY_BYTES,
  type: 'application/json',
  // The parser would put U+FFFD in place of what is no UTF-8, and look for that.
  verify: (_request, _response, body) => {
    if (!isUtf8(body)) throw new Error('not UTF-8');
  },
});

/** Reads a JSON body into `request.body`. @throws ApiError 400, 413 or 415 */
export async function readJsonBody(request: ApiRequest, response: ApiResponse): Promise<void> {
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
  if (isTooDeep(request.body)) throw new BodyTooDeepError();
}

/** JSON, but nested so deep that whoever walks through it may overflow the stack. */
export class BodyTooDeepError extends ApiError {
  constructor() {
    super(400, `Request body must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

function whenTooLarge(request: ApiRequest, tell: () => void): void {
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MAX_BODY_BYTES) tell();
  });
}

/** The parser's errors carry a status: too large, an encoding or charset that is not supported, not UTF-8, or not JSON. */
function bodyError(error: unknown): Error {
  const status = error instanceof Error && 'status' in error ? error.status : 400;
  if (status === 413) return bodyTooLarge();
  if (status === 415) return notJsonType();
  return notJson();
}

const notJson = () => badRequest('Request body must be valid JSON');
