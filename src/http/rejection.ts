import type { ServerResponse } from 'node:http';
import { badRequest, expectationFailed, methodNotAllowed, type ApiError } from './api-error.js';
import type { ApiRequest } from './api-request.js';

/** Path given to a rejected request, so that it reaches the guards by the route of unknown paths. */
const REJECTED_PATH = '/*';

const SLASH = '/'.charCodeAt(0);

/** Part before the path of an absolute target, which clients send to proxies. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Stores the error of a malformed request in its context, for `RequestShapeGuard` to throw after the key and minute
 * limit are checked. Node or Express would answer it without key, record or envelope. */
export function markRejection(request: ApiRequest, response: ServerResponse): void {
  const rejection = findFramingError(request, response) ?? findRejection(request);
  if (rejection === null) return;
  request.context.rejection = rejection;
  request.url = REJECTED_PATH;
}

/** Rejects `Transfer-Encoding` in HTTP/1.0 and closes the connection (RFC 9112, 6.1). A proxy that ignores the header there
 * would see the request end elsewhere, and treat the rest as the next request. */
function findFramingError(request: ApiRequest, response: ServerResponse): ApiError | null {
  if (request.httpVersion !== '1.0' || request.headers['transfer-encoding'] === undefined) return null;
  response.setHeader('Connection', 'close');
  return badRequest('Transfer-Encoding needs HTTP/1.1');
}

function findRejection(request: ApiRequest): ApiError | null {
  const { headers, httpVersion } = request;
  if (request.method === 'CONNECT') return methodNotAllowed(['GET', 'HEAD', 'POST']);
  if (headers.host === undefined && httpVersion === '1.1') return badRequest('Host header is required');
  if (headers.expect !== undefined && httpVersion === '1.1' && !/^100-continue$/i.test(headers.expect)) {
    return expectationFailed();
  }
  if (request.url.charCodeAt(0) !== SLASH && !reduceToPath(request)) return badRequest('Request target is malformed');
  return request.url.includes('%') && !isDecodable(request.url)
    ? badRequest('Path has a malformed percent-encoding')
    : null;
}

/** Reduces an absolute target to its path. @returns false if the target is malformed */
function reduceToPath(request: ApiRequest): boolean {
  const { url } = request;
  if (ORIGIN.test(url) && URL.canParse(url)) {
    const path = url.replace(ORIGIN, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
    return true;
  }
  if (url !== '*') return false;
  // `OPTIONS *` names no path.
  request.url = REJECTED_PATH;
  return true;
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
