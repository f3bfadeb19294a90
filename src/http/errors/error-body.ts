import type { ApiError } from './api-error.js';
import { ERRORS_PATH, type ErrorCode } from './error-codes.js';

/** Member `error` of an error body. */
export interface ErrorMembers {
  readonly status: number;
  readonly message: string;
  readonly code: ErrorCode;
  readonly parameter: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly hint: string | undefined;
  readonly documentation_url: string;
}

/** Returns the member `error`. JSON omits the undefined members. */
export function describeError({ status, message, code, parameter, allowed, hint }: ApiError): ErrorMembers {
  return { status, message, code, parameter, allowed, hint, documentation_url: `${ERRORS_PATH}#${code}` };
}

/** Returns a whole error body. */
export const createErrorBody = (error: ApiError, requestId: string) => ({
  error: describeError(error),
  meta: { request_id: requestId },
});
