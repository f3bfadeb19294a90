import type { AnswerDetails, Cost, RateLimit } from './answer.js';

/** Base class of the errors of this client. */
export class CreatorDataError extends Error {}

/** The service could not be reached, or the connection broke, also when retried. */
export class ConnectionFailedError extends CreatorDataError {
  override readonly name = 'ConnectionFailedError';
}

/** The response did not arrive within `timeoutMs`. Not retried, because the service may have charged the request. */
export class RequestTimeoutError extends CreatorDataError {
  override readonly name = 'RequestTimeoutError';
}

/** The service answered with an error. */
export class ApiError extends CreatorDataError implements AnswerDetails {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable name of the error; null from services that do not send one, as for the four members below. */
  readonly code: string | null;
  /** Name of the invalid parameter. */
  readonly parameter: string | null;
  /** Values that the parameter accepts. */
  readonly allowed: readonly unknown[] | null;
  /** What to do about the error. */
  readonly hint: string | null;
  readonly documentationUrl: string | null;
  /** Seconds until a retry is useful; null if the service did not say. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  readonly cost: Cost;
  readonly rateLimit: RateLimit | null;
  readonly headers: Headers;
  readonly attempts: number;
  /** The parsed body, or its text if it is not JSON. */
  readonly body: unknown;

  constructor(details: AnswerDetails, body: unknown, retryAfter: number | null) {
    const error = errorIn(body);
    super(textIn(error, 'message') ?? `HTTP status ${details.status}`);
    this.status = details.status;
    this.code = textIn(error, 'code');
    this.parameter = textIn(error, 'parameter');
    this.allowed = Array.isArray(error.allowed) ? error.allowed : null;
    this.hint = textIn(error, 'hint');
    this.documentationUrl = textIn(error, 'documentation_url');
    this.retryAfter = retryAfter;
    this.requestId = details.requestId;
    this.cost = details.cost;
    this.rateLimit = details.rateLimit;
    this.headers = details.headers;
    this.attempts = details.attempts;
    this.body = body;
  }
}

/** Returns the member `error` of a body; a proxy in between may send any other body. */
function errorIn(body: unknown): Readonly<Record<string, unknown>> {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? error : {};
}

function textIn(error: Readonly<Record<string, unknown>>, member: string): string | null {
  const value = error[member];
  return typeof value === 'string' ? value : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
