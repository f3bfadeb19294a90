import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import express from 'express';
import { ApiError, bodyTooLarge, clientClosed, fixedError, notJsonType } from '../errors/api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../../model/json-depth.js';
import { countParts } from './json-parts.js';

const MAX_BODY_BYTES = 256 * 1024;

/** Arrays, objects and members of a body; no request has more than some dozens. */
const MAX_STRUCTURES = 1000;

/** Values of a body; a search may leave out 1,000 creators. */
const MAX_VALUES = 4000;

/** JSON that takes long to parse and to check, or much memory. */
class TooComplexError extends Error {}

const parseJson = express.json({
  limit: MAX_BODY_BYTES,
  type: 'application/json',
  // Otherwise the parser would replace invalid UTF-8 with U+FFFD.
  verify: (_request, _response, body) => {
    if (!isUtf8(body)) throw new Error('not UTF-8');
    const { structures, values } = countParts(body);
    if (structures > MAX_STRUCTURES) throw new TooComplexError(`${MAX_STRUCTURES} arrays, objects and members`);
    if (values > MAX_VALUES) throw new TooComplexError(`${MAX_VALUES} values`);
  },
});

/** Reads a JSON body into `request.body`. A body that is still arriving counts as an upload, which has its own limits.
 * @throws ApiError 400, 408, 413, 415, 429, 499 or 503 */
export async function readJsonBody(request: ApiRequest, response: ApiResponse, keyId: string): Promise<void> {
  if (request.rejection !== undefined) throw request.rejection;
  if (request.headers['content-type'] === undefined || request.is('application/json') === false) throw notJsonType();
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  // The parser would turn an empty body into {}.
  if (encoding === undefined && (length === undefined || Number(length) === 0)) throw notJson();
  if (Number(length ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge();
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  if (request.complete) await parseBody(request, response);
  else
    await response.traffic.upload(response, { keyId, address: request.ip ?? '' }, () => parseBody(request, response));
  if (request.body === undefined) throw notJson();
  if (isTooDeep(request.body)) throw tooDeep();
}

/** Rejects JSON whose depth could overflow the stack of recursive code. */
const tooDeep = () =>
  new ApiError('body_too_deep', `Request body must not be nested deeper than ${MAX_JSON_DEPTH} levels`);

const tooComplex = ({ message }: TooComplexError) =>
  new ApiError('body_too_complex', `Request body must not have more than ${message}`);

const parseBody = (request: ApiRequest, response: ApiResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    // The parser reports a chunked body as too large only when all of it has arrived.
    if (request.headers['transfer-encoding'] !== undefined) watchSize(request, () => reject(bodyTooLarge()));
    const source = request.socket.readable ? request : detached(request);
    parseJson(source as never, response as never, (error?: unknown) => {
      if (error !== undefined) reject(translateParserError(error, request));
      request.body = source.body;
      resolve();
    });
  });

/** Returns the body of a request without its connection. The parser finds no body if the client has ended its side. */
const detached = (request: ApiRequest): Pick<ApiRequest, 'headers' | 'body'> & Readable =>
  Object.assign(Readable.from(request, { objectMode: false }), { headers: request.headers, body: undefined });

function watchSize(request: ApiRequest, report: () => void): void {
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > MAX_BODY_BYTES) report();
  });
}

/** Translates the parser's error by its status: 413 too large, 415 unsupported encoding, otherwise invalid UTF-8 or JSON. */
function translateParserError(error: unknown, request: ApiRequest): Error {
  if (request.destroyed && !request.complete) return clientClosed();
  if (request.rejection !== undefined) return request.rejection;
  if (error instanceof TooComplexError) return tooComplex(error);
  const status = error instanceof Error && 'status' in error ? error.status : 400;
  if (status === 413) return bodyTooLarge();
  if (status === 415) return notJsonType();
  return notJson();
}

const notJson = () => fixedError('invalid_json');
