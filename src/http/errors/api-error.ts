import { STATUS_CODES, type OutgoingHttpHeaders } from 'node:http';
import { ERROR_CODES, errorRule, type ErrorCode, type FixedCode, type NotFoundCode } from './error-codes.js';

/** Parts of an error that its code does not determine. */
export interface ErrorDetails {
  /** The one parameter, body member or tool argument that is wrong. */
  readonly parameter?: string;
  /** Accepted values, if they are few. */
  readonly allowed?: readonly string[];
  /** What to do; by default the hint of the code. */
  readonly hint?: string;
  /** Status, if it is not that of the code. */
  readonly status?: number;
  readonly headers?: Readonly<OutgoingHttpHeaders>;
}

/** Error response. Clients see every member, so none may contain internals. */
export class ApiError extends Error {
  readonly status: number;
  readonly parameter: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly hint: string | undefined;
  readonly headers: Readonly<OutgoingHttpHeaders>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { parameter, allowed, hint, status, headers = {} }: ErrorDetails = {},
  ) {
    // No stack trace: nobody reads it, and a look-up that finds nothing would pay more for it than for its answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    const rule = errorRule(code);
    this.status = status ?? rule.status;
    this.parameter = parameter;
    this.allowed = allowed;
    this.hint = hint ?? rule.hint;
    this.headers = headers;
  }
}

/** Creates an error whose code has one message. */
export const fixedError = (code: FixedCode, details?: ErrorDetails): ApiError =>
  new ApiError(code, ERROR_CODES[code].message, details);

/** `Retry-After` while a store is unreachable, in seconds. */
export const STORE_RETRY_SECONDS = 5;

/** Creates the error for a platform that is invalid or not served by the endpoint. @param allowed the platforms that it serves */
export const invalidPlatform = (allowed: readonly string[]) =>
  fixedError('invalid_platform', { parameter: 'platform', allowed });

/** @param place where the parameter is missing @param allowed its values; undefined: too many to list */
export const missingParameter = (parameter: string, place: 'query' | 'body', allowed?: readonly string[]) =>
  fixedError('missing_parameter', {
    parameter,
    allowed,
    hint: place === 'query' ? `Add the parameter ${parameter}.` : `Add the member ${parameter} to the body.`,
  });

/** For parameters that are valid alone, but do not fit each other. */
export const conflictingParameters = (message: string) => new ApiError('conflicting_parameters', message);

export const malformedRequest = (message: string, details?: ErrorDetails) =>
  new ApiError('malformed_request', message, details);

/** Creates an error with Node's reason phrase as its message, for requests that Node rejects. */
export const nodeError = (code: ErrorCode) => new ApiError(code, STATUS_CODES[errorRule(code).status] ?? '');

/** @param ignored the header `Authorization`, in which some clients send the key */
export const keyMissing = (ignored?: string) =>
  fixedError('missing_api_key', {
    headers: AUTHENTICATE,
    ...(ignored === undefined ? {} : { hint: 'Send the key in the header x-api-key. Authorization is ignored.' }),
  });

/** Creates the error for a preflight that was not answered. Browsers send no key with it, so the hint of a missing key would mislead. */
export const originNotAllowed = () =>
  fixedError('missing_api_key', {
    headers: AUTHENTICATE,
    hint: 'Web pages of this origin may not call the service. Its operator allows origins with CORS_ORIGINS.',
  });

/** Header of a 401. */
export const AUTHENTICATE = { 'WWW-Authenticate': 'ApiKey realm="x-api-key"' };

/** @param sent value of the header `x-api-key` */
export const keyInvalid = (sent?: string | string[]) =>
  fixedError(
    'invalid_api_key',
    typeof sent === 'string' && /^Bearer /i.test(sent) ? { hint: 'Send the key alone, without "Bearer ".' } : {},
  );

export const notFound = (code: NotFoundCode) => fixedError(code);

export const methodNotAllowed = (allowed: readonly string[]) =>
  fixedError('method_not_allowed', { allowed, headers: { Allow: allowed.join(', ') } });

export const bodyTimeout = () => new ApiError('request_timeout', 'Request body did not arrive in time');

export const bodyTooLarge = () => fixedError('body_too_large');

export const notJsonType = () => fixedError('unsupported_media_type');

/** Codes of status 429. */
type LimitCode = { [C in FixedCode]: (typeof ERROR_CODES)[C]['status'] extends 429 ? C : never }[FixedCode];

/** @param retryAfterSeconds rounded up, and at least 1 */
export const limitExceeded = (code: LimitCode, retryAfterSeconds: number) =>
  fixedError(code, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } });

/** Creates the error for a request that does not fit into the key's month allowance. Without `Retry-After`, because a smaller request may fit. */
export const allowanceUsedUp = (details?: ErrorDetails) => fixedError('monthly_allowance_used_up', details);

/** Creates the error for a client that closed its connection before its data was read. Only the usage record shows this status. */
export const clientClosed = () => fixedError('client_closed');

export const internalError = () => fixedError('internal_error');

export const serviceUnavailable = () =>
  fixedError('service_unavailable', { headers: { 'Retry-After': String(STORE_RETRY_SECONDS) } });

/** Creates the error for a request that found no slot in time. */
export const overloaded = () => fixedError('overloaded', { headers: { 'Retry-After': '1' } });
