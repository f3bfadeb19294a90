import type { ServerResponse } from 'node:http';
import { fixedError, malformedRequest, methodNotAllowed, type ApiError } from './errors/api-error.js';
import type { ApiRequest } from './api-request.js';

/** Path given to a rejected request, so that it reaches the guards by the route of unknown paths. */
const REJECTED_PATH = '/*';

/** Headers of which Node keeps the first value, while a proxy may use the last. */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** Lengths of their names, so that the other names of a request need not be lowercased. */
const SINGLE_HEADER_LENGTHS: ReadonlySet<number> = new Set(Array.from(SINGLE_HEADERS, ({ length }) => length));

const SLASH = '/'.charCodeAt(0);

/** Part before the path of an absolute target, which clients send to proxies. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Marks a request that Node or Express would answer without key, record or envelope. */
export function markRejection(request: ApiRequest, response: ServerResponse): void {
  const reason = request.rejection ?? findFramingError(request, response) ?? findRejection(request);
  if (reason !== null) rejectRequest(request, reason);
}

/** Makes the guards reject a request: its key and its limit are still checked, and it is recorded. */
export function rejectRequest(request: ApiRequest, reason: ApiError): void {
  request.rejection = reason;
  request.url = REJECTED_PATH;
}

/** Rejects `Transfer-Encoding` in HTTP/1.0, and any but `chunked`, and closes the connection (RFC 9112, 6.1). A proxy that reads
 * the header in another way would see the request end elsewhere, and treat the rest as the next request. */
function findFramingError(request: ApiRequest, response: ServerResponse): ApiError | null {
  const encoding = request.headers['transfer-encoding'];
  if (encoding === undefined || (request.httpVersion !== '1.0' && /^chunked$/i.test(encoding))) return null;
  response.setHeader('Connection', 'close');
  return malformedRequest(
    request.httpVersion === '1.0' ? 'Transfer-Encoding needs HTTP/1.1' : 'Transfer-Encoding must be chunked',
  );
}

function findRejection(request: ApiRequest): ApiError | null {
  const { headers, httpVersion } = request;
  if (request.method === 'CONNECT') return methodNotAllowed(['GET', 'HEAD', 'POST']);
  if (headers.host === undefined && httpVersion === '1.1') return malformedRequest('Host header is required');
  const repeated = findRepeatedHeader(request.rawHeaders);
  if (repeated !== null) return malformedRequest(`Header given more than once: ${repeated}`);
  if (headers.expect !== undefined && httpVersion === '1.1' && !/^100-continue$/i.test(headers.expect)) {
    return fixedError('expectation_failed');
  }
  if (request.url.charCodeAt(0) !== SLASH && !reduceToPath(request))
    return malformedRequest('Request target is malformed');
  return request.url.includes('%') && !isDecodable(request.url)
    ? malformedRequest('Path has a malformed percent-encoding')
    : null;
}

/** Returns the name of a header that may be given only once and is given twice; null if there is none. */
function findRepeatedHeader(namesAndValues: readonly string[]): string | null {
  let found: string[] | null = null;
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at] ?? '';
    if (!SINGLE_HEADER_LENGTHS.has(name.length)) continue;
    const lowercase = name.toLowerCase();
    if (!SINGLE_HEADERS.has(lowercase)) continue;
    if (found?.includes(lowercase)) return lowercase;
    (found ??= []).push(lowercase);
  }
  return null;
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
