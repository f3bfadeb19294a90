import type { OutgoingHttpHeaders } from 'node:http';

/** An answer other than success: what the client reads, word by word. Nothing internal belongs into the message. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<OutgoingHttpHeaders> = {},
  ) {
    super(message);
  }
}

/** How long a client should wait when a store cannot be reached, in seconds. */
export const STORE_RETRY_SECONDS = 5;

export const badRequest = (message: string) => new ApiError(400, message);

/** An invalid platform, one that the endpoint does not serve, or a required parameter that is missing. */
export const invalidRequest = () => badRequest('Invalid platform or missing required parameter');

export const keyMissing = () =>
  new ApiError(401, 'API key is required', { 'WWW-Authenticate': 'ApiKey realm="x-api-key"' });

export const keyInvalid = () => new ApiError(403, 'Invalid API key');

/** @param message one of those that the endpoint declares as its `notFound` */
export const notFound = (message: string) => new ApiError(404, message);

export const unknownPath = () => new ApiError(404, 'Not found');

export const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError(405, 'Method not allowed', { Allow: allowed.join(', ') });

export const bodyTimeout = () => new ApiError(408, 'Request body did not arrive in time');

export const bodyTooLarge = () => new ApiError(413, 'Request body must not exceed 256 KiB');

export const notJsonType = () => new ApiError(415, 'Content-Type must be application/json');

export const expectationFailed = () => new ApiError(417, 'Expectation failed');

/** @param retryAfterSeconds whole seconds until a request can pass, at least 1 */
export const limitExceeded = (retryAfterSeconds: number) =>
  new ApiError(429, 'Rate limit exceeded', { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) });

/** The client closed its connection before its data was read. Nobody reads this answer; the usage record keeps it. */
export const clientClosed = () => new ApiError(499, 'Client closed request');

export const internalError = () => new ApiError(500, 'Internal server error');

export const serviceUnavailable = () =>
  new ApiError(503, 'Service unavailable', { 'Retry-After': String(STORE_RETRY_SECONDS) });

/** More requests than are handled in time: the next second has room again. */
export const overloaded = () => new ApiError(503, 'Service unavailable', { 'Retry-After': '1' });
