import type { IncomingMessage } from 'node:http';
import { badRequest, type ApiError } from './api-error.js';
import type { ApiRequest, ApiResponse } from './api-request.js';

/** A path that no client can send, as a space ends it: only the endpoint of unknown paths takes it. */
const REFUSED_PATH = '/ refused';

const SLASH = '/'.charCodeAt(0);

/** What comes before the path where a client sends all of the address, as to a proxy. */
const BEFORE_PATH = /^https?:\/\/[^/?#]*/i;

const refusals = new WeakMap<IncomingMessage, ApiError>();

/** Has a request answered with this error, behind the key and the minute limit like any other. */
export function refuse(request: IncomingMessage, error: ApiError): void {
  refusals.set(request, error);
  request.url = REFUSED_PATH;
}

/** @returns null for requests that were not refused */
export const refusalOf = (request: IncomingMessage): ApiError | null => refusals.get(request) ?? null;

/** Refuses what Node or Express would answer by themselves, without key, record or envelope. */
export function refuseOddTarget(request: ApiRequest): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    refuse(request, badRequest('Host header is required'));
  } else if (request.url.charCodeAt(0) !== SLASH) {
    takePath(request);
  }
}

/** Refuses `Transfer-Encoding` in HTTP/1.0, and closes the connection (RFC 9112, 6.1): a proxy that knows none there sees
 * another end of the request, and takes its rest for the next one. */
export function refuseOddFraming(request: ApiRequest, response: ApiResponse): void {
  if (request.httpVersion !== '1.0' || request.headers['transfer-encoding'] === undefined) return;
  response.setHeader('Connection', 'close');
  refuse(request, badRequest('Transfer-Encoding needs HTTP/1.1'));
}

function takePath(request: ApiRequest): void {
  const { url } = request;
  if (BEFORE_PATH.test(url) && URL.canParse(url)) {
    const path = url.replace(BEFORE_PATH, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
  } else if (url === '*') {
    // `OPTIONS *` names no path; it is treated like an unknown one.
    request.url = '/*';
  } else {
    refuse(request, badRequest('Request target is malformed'));
  }
}
