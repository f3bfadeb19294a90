import {
  allowanceUsedUp,
  bodyTooLarge,
  fixedError,
  internalError,
  invalidPlatform,
  keyInvalid,
  keyMissing,
  limitExceeded,
  methodNotAllowed,
  nodeError,
  notJsonType,
  serviceUnavailable,
  type ApiError,
} from '../../http/errors/api-error.js';
import { createErrorExample, type Schema } from '../../http/envelope/envelope-schemas.js';
import { PLATFORMS } from '../../model/platforms.js';
import { headerReferences, PLAIN_HEADERS, RECEIPT_HEADERS } from '../../http/envelope/header-documentation.js';

/** Answers that operations share, for `components.responses`. */
export const SHARED_ANSWERS = {
  NotModified: {
    description:
      'The data is still what the ETag in `If-None-Match` stands for. No body; it costs nothing but a request of the minute. ' +
      'To `If-None-Match: *` it says that there is data: it costs the units of the request, and has no ETag.',
    headers: { ...RECEIPT_HEADERS, ...headerReferences('ETag') },
  },
  BadRequest: describeErrorAnswer(
    invalidPlatform(PLATFORMS),
    'The platform, a parameter or the body is wrong; the message says which. Do not repeat it unchanged.',
    RECEIPT_HEADERS,
  ),
  KeyMissing: describeErrorAnswer(keyMissing(), 'The header `x-api-key` is missing or empty.', {
    ...PLAIN_HEADERS,
    ...headerReferences('WWW-Authenticate'),
  }),
  AllowanceUsedUp: describeErrorAnswer(
    allowanceUsedUp(),
    "The request costs more than the key's monthly allowance has left. It costs nothing; a smaller one may fit.",
    RECEIPT_HEADERS,
  ),
  KeyInvalid: describeErrorAnswer(
    keyInvalid(),
    'The key is unknown, mistyped, replaced, revoked or expired.',
    PLAIN_HEADERS,
  ),
  NotFound: describeErrorAnswer(
    fixedError('path_not_found'),
    'No such path. A test key forces it with `X-Test-Answer: 404`. What else is not found, each endpoint lists.',
    RECEIPT_HEADERS,
  ),
  MethodNotAllowed: describeErrorAnswer(
    methodNotAllowed(['GET', 'HEAD']),
    'The path does not support this method. It needs a key, and counts, like any other request.',
    { ...RECEIPT_HEADERS, ...headerReferences('Allow') },
  ),
  RequestTimeout: describeErrorAnswer(
    nodeError('request_timeout'),
    'The headers or the body did not arrive in time. It costs nothing, and the connection is closed.',
    RECEIPT_HEADERS,
  ),
  BodyTooLarge: describeErrorAnswer(bodyTooLarge(), 'The body is too large for any batch.', RECEIPT_HEADERS),
  NotJson: describeErrorAnswer(notJsonType(), 'The body is not sent as JSON in UTF-8.', RECEIPT_HEADERS),
  ExpectationFailed: describeErrorAnswer(
    fixedError('expectation_failed'),
    'The header `Expect` asks for something other than `100-continue`.',
    RECEIPT_HEADERS,
  ),
  LimitExceeded: describeErrorAnswer(
    limitExceeded('rate_limit_exceeded', 60),
    'The requests of this minute are used up; the next window begins after `Retry-After`. Or the key has too many slow ' +
      'uploads or too many unread answers. Without the headers of a key: too many wrong keys came from this address.',
    { ...RECEIPT_HEADERS, ...headerReferences('Retry-After') },
  ),
  HeadersTooLarge: describeErrorAnswer(
    nodeError('headers_too_large'),
    'Address and headers together are too long. It is not recorded, and the connection ends.',
    headerReferences('X-Request-Id'),
  ),
  InternalError: describeErrorAnswer(internalError(), 'A fault of the service. It costs nothing.', RECEIPT_HEADERS),
  Unavailable: describeErrorAnswer(
    serviceUnavailable(),
    'A store cannot be reached, or the request could not be recorded. It costs nothing; repeat it after `Retry-After`.',
    { ...RECEIPT_HEADERS, ...headerReferences('Retry-After') },
  ),
};

type SharedAnswer = keyof typeof SHARED_ANSWERS;

const EVERY_OPERATION: Readonly<Record<number, SharedAnswer>> = {
  400: 'BadRequest',
  401: 'KeyMissing',
  403: 'KeyInvalid',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  417: 'ExpectationFailed',
  429: 'LimitExceeded',
  431: 'HeadersTooLarge',
  500: 'InternalError',
};
const GET_ONLY: typeof EVERY_OPERATION = { 304: 'NotModified' };
const POST_ONLY: typeof EVERY_OPERATION = { 413: 'BodyTooLarge', 415: 'NotJson' };
const KEY_ONLY: typeof EVERY_OPERATION = { 402: 'AllowanceUsedUp', 404: 'NotFound', 503: 'Unavailable' };

/** Returns references to the shared answers of an operation, by status. */
export function referToSharedAnswers(method: 'get' | 'post', needsKey: boolean): Record<string, { $ref: string }> {
  const names = {
    ...EVERY_OPERATION,
    ...(needsKey ? KEY_ONLY : {}),
    ...(needsKey && method === 'get' ? GET_ONLY : {}),
    ...(method === 'post' ? POST_ONLY : {}),
  };
  return Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function describeErrorAnswer(error: ApiError, description: string, headers: Schema): Schema {
  const schema = { $ref: '#/components/schemas/Error' };
  return { description, headers, content: { 'application/json': { schema, example: createErrorExample(error) } } };
}
