import { nextMonthSeconds } from '../receipts/allowances.js';
import type { ApiRequest } from './api-request.js';
import {
  allowanceUsedUp,
  ApiError,
  fixedError,
  internalError,
  limitExceeded,
  notFound,
  serviceUnavailable,
} from './errors/api-error.js';
import type { ForcedAnswer, RequestContext } from './request-context.js';

/** Header by which a test key asks for an answer that it could not cause. */
export const FORCED_ANSWER_HEADER = 'x-test-answer';

/** How long a `slow` answer waits. */
export const SLOW_ANSWER_MS = 3000;

const MINUTE_SECONDS = 60;

/** Allowance of the forced 402 of a key that has none of its own. */
const EXAMPLE_ALLOWANCE = 1000;

/** Creates a 402 with the headers of a real one, or those of the key's allowance. */
function createAllowanceUsedUp({ caller, receivedAt }: RequestContext): ApiError {
  if (caller?.allowance !== null) return allowanceUsedUp();
  const [limit, reset] = [EXAMPLE_ALLOWANCE, nextMonthSeconds(receivedAt)].map(String);
  return allowanceUsedUp({
    headers: {
      'X-Quota-Units-Limit': limit,
      'X-Quota-Units-Remaining': '0',
      'X-Credits-Limit': limit,
      'X-Credits-Remaining': '0',
      'X-Allowance-Reset': reset,
    },
  });
}

const createNotFound = ({ endpoint }: RequestContext): ApiError =>
  notFound(endpoint?.notFound?.[0] ?? 'path_not_found');

/** Creates the 429 of a key that has used up its minute. */
function createLimitExceeded(context: RequestContext): ApiError {
  const { minute, receivedAt } = context;
  if (minute === null) throw new Error('the minute limit must be checked before an answer is forced');
  context.minute = { ...minute, remaining: 0 };
  // The end of the minute is rounded up to a second.
  return limitExceeded('rate_limit_exceeded', Math.min(MINUTE_SECONDS, minute.resetSeconds - receivedAt / 1000));
}

const ERRORS: Readonly<Record<string, (context: RequestContext) => ApiError>> = {
  '402': createAllowanceUsedUp,
  '404': createNotFound,
  '429': createLimitExceeded,
  '500': internalError,
  '503': serviceUnavailable,
};

/** Accepted values of `X-Test-Answer`. */
export const FORCED_ANSWERS = [...Object.keys(ERRORS), 'slow', 'nulls'] as const;

/** Reads `X-Test-Answer`; null without it. Call it after the minute limit was checked.
 * @throws ApiError 400 for another value, or if the key is not a test key */
export function readForcedAnswer({ headers, context }: ApiRequest): ForcedAnswer | null {
  const given = headers[FORCED_ANSWER_HEADER];
  if (given === undefined) return null;
  if (context.caller?.isTest !== true) throw fixedError('test_key_required');
  if (given === 'slow' || given === 'nulls') return { name: given, error: null };
  const createError = FORCED_ANSWERS.includes(String(given)) ? ERRORS[String(given)] : undefined;
  if (createError === undefined) {
    const allowed = FORCED_ANSWERS.join(', ');
    throw new ApiError('invalid_test_answer', `X-Test-Answer must be one of ${allowed}`, { allowed: FORCED_ANSWERS });
  }
  return { name: 'error', error: createError(context) };
}
