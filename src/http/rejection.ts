import type { ServerResponse } from 'node:http';
import { badRequest, expectationFailed, methodNotAllowed, type ApiError } from './api-error.js';
import type { ApiRequest } from './api-request.js';

/** The path of a rejected request: every request needs a route to reach the guards, and only unknown paths take this one. */
const NO_PATH = '/*';

/** Headers of whose values Node keeps the first one, while a proxy may use the last. It joins the values of others. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

const SLASH = '/'.charCodeAt(0);

/** What precedes the path in an address that is sent in full, as to a proxy. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Notes in the request's context what Node or Express would otherwise answer by themselves, without key, record or
 * envelope; `RequestShapeGuard` throws it behind the key and the minute limit. */
export function rejectOddRequest(request: ApiRequest, response: ServerResponse): void {
  const rejection = request.malformed ?? framingError(request, response) ?? rejectionOf(request);
  if (rejection === null) return;
  request.context.rejection = rejection;
  request.url = NO_PATH;
}

/** Rejects `Transfer-Encoding` in HTTP/1.0 and closes the connection (RFC 9112, 6.1). A proxy that knows no encodings there
 * sees the request end elsewhere, and takes the rest of it for the next request. */
function framingError(request: ApiRequest, response: ServerResponse): ApiError | null {
  if (request.httpVersion !== '1.0' || request.headers['transfer-encoding'] === undefined) return null;
  response.setHeader('Connection', 'close');
  return badRequest('Transfer-Encoding needs HTTP/1.1');
}

function rejectionOf(request: ApiRequest): ApiError | null {
  const { headers, httpVersion } = request;
  if (request.method === 'CONNECT') return methodNotAllowed(['GET', 'HEAD', 'POST']);
  if (headers.host === undefined && httpVersion === '1.1') return badRequest('Host header is required');
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== null) return badRequest(`Header given more than once: ${repeated}`);
  if (headers.expect !== undefined && httpVersion === '1.1' && !/^100-continue$/i.test(headers.expect)) {
    return expectationFailed();
  }
  if (request.url.charCodeAt(0) !== SLASH && !takePath(request)) return badRequest('Request target is malformed');
  return request.url.includes('%') && !isDecodable(request.url)
    ? badRequest('Path has a malformed percent-encoding')
    : null;
}

/** Returns the name of a header that may be given only once and is given twice; null if there is none. */
function repeatedHeader(namesAndValues: readonly string[]): string | null {
  let found: string[] | null = null;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.has(name)) continue;
    if (found?.includes(name)) return name;
    (found ??= []).push(name);
  }
  return null;
}

/** Reduces a target that is an address in full to its path. @returns false for a malformed target */
function takePath(request: ApiRequest): boolean {
  const { url } = request;
  if (ORIGIN.test(url) && URL.canParse(url)) {
    const path = url.replace(ORIGIN, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
    return true;
  }
  if (url !== '*') return false;
  // `OPTIONS *` names no path.
  request.url = NO_PATH;
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
