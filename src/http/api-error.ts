import type { OutgoingHttpHeaders } from 'node:http';

/** Error response. Clients see the message, so it must not contain internals. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<OutgoingHttpHeaders> = {},
  ) {
    super(message);
  }
}

/** `Retry-After` while a store is unreachable, in seconds. */
export const STORE_RETRY_SECONDS = 5;

export const badRequest = (message: string) => new ApiError(400, message);

/** For a platform that is invalid or not served by the endpoint, and for a missing parameter. */
export const invalidRequest = () => badRequest('Invalid platform or missing required parameter');

export const keyMissing = () =>
  new ApiError(401, 'API key is required', { 'WWW-Authenticate': 'ApiKey realm="x-api-key"' });

export const keyInvalid = () => new ApiError(403, 'Invalid API key');

/** @param message a key of the endpoint's `notFound` */
export const notFound = (message: string) => new ApiError(404, message);

export const unknownPath = () => new ApiError(404, 'Not found');

export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError(405, 'Method not allowed', { Allow: allowed.join(', ') });

export const bodyTimeout = () => new ApiError(408, 'Request body did not arrive in time');

export const bodyTooLarge = () => new ApiError(413, 'Request body must not exceed 256 KiB');

export const notJsonType = () => new ApiError(415, 'Content-Type must be application/json');

export const expectationFailed = () => new ApiError(417, 'Expectation failed');

/** @param retryAfterSeconds rounded up, and at least 1 */
export const limitExceeded = (retryAfterSeconds: number) =>
  new ApiError(429, 'Rate limit exceeded', { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) });

/** For a client that closed its connection before its data was read. Only the usage record shows this status. */
export const clientClosed = () => new ApiError(499, 'Client closed request');

export const internalError = () => new ApiError(500, 'Internal server error');

export const serviceUnavailable = () =>
  new ApiError(503, 'Service unavailable', { 'Retry-After': String(STORE_RETRY_SECONDS) });

/** For a request that found no slot in time. */
export const overloaded = () => new ApiError(503, 'Service unavailable', { 'Retry-After': '1' });
