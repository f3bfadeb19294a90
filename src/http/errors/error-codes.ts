/** Rules of an error code. */
interface ErrorRule {
  readonly status: number;
  /** The message, if it is always the same. */
  readonly message?: string;
  /** What the code means, for the documentation: part of a sentence, in CommonMark. */
  readonly meaning: string;
  /** What to do, for every error with this code. */
  readonly hint?: string;
  /** Where the code occurs, if not in answers of the API: in answers of `/mcp`, or in usage records. */
  readonly only?: 'mcp' | 'record';
}

/** Fixed by the API reference for several codes. */
const INVALID_REQUEST = 'Invalid platform or missing required parameter';

const RATE_LIMIT = 'Rate limit exceeded';
const UNAVAILABLE = 'Service unavailable';
const AVAILABLE_HINT = 'The profile with include=available tells for 1 unit what a creator has.';

/** Every error code, once. The OpenAPI document, the page at `/docs/errors` and the types are created from this table. */
export const ERROR_CODES = {
  invalid_platform: {
    status: 400,
    message: INVALID_REQUEST,
    meaning: 'the platform is unknown, or the endpoint does not serve it; `allowed` lists those that it serves',
    hint: 'Use one of the platforms in allowed.',
  },
  missing_parameter: {
    status: 400,
    message: INVALID_REQUEST,
    meaning: 'the required parameter or body member `parameter` is missing',
  },
  unknown_parameter: {
    status: 400,
    meaning: 'the endpoint has no parameter or body member of this name; `allowed` lists those that it has',
  },
  repeated_parameter: { status: 400, meaning: 'a parameter is given more than once' },
  invalid_parameter: {
    status: 400,
    meaning: 'the value of `parameter` is invalid; `allowed` lists the accepted values if they are few',
  },
  conflicting_parameters: { status: 400, meaning: 'each parameter is valid, but they do not fit each other' },
  too_many_parameters: { status: 400, meaning: 'the query has too many parameters' },
  member_hidden: {
    status: 400,
    meaning: 'a member that is hidden from your key cannot be sorted, filtered, searched or counted by',
  },
  invalid_cursor: {
    status: 400,
    message: 'Invalid cursor',
    meaning: 'the cursor is malformed, or belongs to another list, `sort`, `order` or `kind`',
    hint: 'Pass paging.next_cursor unchanged, with the same path, sort, order and kind.',
  },
  invalid_json: { status: 400, message: 'Request body must be valid JSON', meaning: 'the body is not JSON in UTF-8' },
  body_too_deep: { status: 400, meaning: 'the body is nested too deeply' },
  body_too_complex: { status: 400, meaning: 'the body has too many arrays, objects, members or values' },
  header_too_long: { status: 400, meaning: 'a header is too long' },
  invalid_test_answer: {
    status: 400,
    meaning: 'the value of the header `X-Test-Answer` is unknown; `allowed` lists the accepted values',
  },
  test_key_required: {
    status: 400,
    message: 'X-Test-Answer needs a test key',
    meaning: 'the header `X-Test-Answer` is sent with a key that is not a test key',
  },
  malformed_request: { status: 400, meaning: 'the request is not valid HTTP' },
  missing_api_key: {
    status: 401,
    message: 'API key is required',
    meaning: 'the header `x-api-key` is missing or empty',
    hint: 'Send the key in the header x-api-key.',
  },
  monthly_allowance_used_up: {
    status: 402,
    message: 'Monthly allowance used up',
    meaning: "the request costs more units or credits than the key's month has left; it was not charged",
    hint: 'The request costs more units or credits than the month has left. Ask for fewer items, or ask the operator for a larger allowance.',
  },
  invalid_api_key: {
    status: 403,
    message: 'Invalid API key',
    meaning: 'the key is unknown, mistyped, replaced, revoked or expired; at `/mcp` the status is 401',
  },
  profile_not_found: {
    status: 404,
    message: 'Profile not found',
    meaning: 'no creator with this ID is known on this platform',
    hint: 'Creators are found by ID. POST /platforms/{platform}/profiles/lookup returns the ID of a handle, and POST /platforms/{platform}/profiles/search finds creators by filters.',
  },
  content_not_found: {
    status: 404,
    message: 'Content not found',
    meaning: 'no item with this ID is known on this platform',
  },
  game_not_found: {
    status: 404,
    message: 'Game not found',
    meaning: 'no game with this ID is known there',
    hint: 'The id of a game belongs to the platform gamedb, as in /platforms/gamedb/games/{game_id}. Its live_platform_id and video_platform_id belong to those platforms.',
  },
  analysis_not_available: {
    status: 404,
    message: 'Analysis not available',
    meaning: 'the creator is known, but has not been analysed',
    hint: AVAILABLE_HINT,
  },
  audience_not_available: {
    status: 404,
    message: 'Audience analysis not available',
    meaning: 'the creator is known, but the audience has not been analysed',
    hint: AVAILABLE_HINT,
  },
  email_not_available: {
    status: 404,
    message: 'Email not available',
    meaning: 'the creator is known, but lists no address',
    hint: AVAILABLE_HINT,
  },
  path_not_found: {
    status: 404,
    message: 'Not found',
    meaning: 'the service has no such path',
    hint: 'The page at /docs lists the paths.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Method not allowed',
    meaning: 'the path does not support the method; `allowed` lists those that it supports',
  },
  cursor_ahead: {
    status: 410,
    message: 'Cursor is ahead of the store',
    meaning: 'the store was restored from a backup after the cursor was issued',
    hint: 'Begin without a cursor, and remove what the feed does not hold.',
  },
  request_timeout: { status: 408, meaning: 'the headers or the body did not arrive in time' },
  body_too_large: {
    status: 413,
    message: 'Request body must not exceed 256 KiB',
    meaning: 'the body is too large for any batch',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Content-Type must be application/json',
    meaning: 'the body is not sent as JSON',
  },
  expectation_failed: {
    status: 417,
    message: 'Expectation failed',
    meaning: 'the header `Expect` has a value other than `100-continue`',
  },
  rate_limit_exceeded: {
    status: 429,
    message: RATE_LIMIT,
    meaning: "the key's requests of this minute are used up",
    hint: 'Repeat the request after the seconds in Retry-After.',
  },
  too_many_invalid_keys: {
    status: 429,
    message: RATE_LIMIT,
    meaning: 'your network has sent too many invalid keys in this minute',
    hint: 'Check the key, and repeat the request after the seconds in Retry-After.',
  },
  too_many_uploads: {
    status: 429,
    message: RATE_LIMIT,
    meaning: 'too many request bodies of your key or network arrive slowly at the same time',
    hint: 'Send fewer bodies at the same time, and each without pauses.',
  },
  too_many_unread_answers: {
    status: 429,
    message: RATE_LIMIT,
    meaning: 'the key has too many answers that its clients do not read',
    hint: 'Read each answer as it arrives, or send fewer requests at the same time.',
  },
  headers_too_large: { status: 431, meaning: 'the address and the headers together are too long' },
  client_closed: {
    status: 499,
    message: 'Client closed request',
    meaning: 'the client closed its connection before its data was read',
    only: 'record',
  },
  internal_error: {
    status: 500,
    message: 'Internal server error',
    meaning: 'a fault of the service',
    hint: 'Tell the operator the X-Request-Id.',
  },
  service_unavailable: {
    status: 503,
    message: UNAVAILABLE,
    meaning: 'the service or one of its stores cannot be reached, or the request could not be recorded',
    hint: 'Repeat the request after the seconds in Retry-After.',
  },
  overloaded: {
    status: 503,
    message: UNAVAILABLE,
    meaning: 'the service has too many requests at the same time',
    hint: 'Repeat the request after the seconds in Retry-After, and send fewer at the same time.',
  },

  invalid_message: { status: 400, meaning: 'the message is not valid MCP', only: 'mcp' },
  unknown_tool: { status: 400, meaning: 'there is no tool of this name; `tools/list` lists the tools', only: 'mcp' },
  unknown_resource: {
    status: 400,
    meaning: 'there is no resource of this address; `resources/list` lists them',
    only: 'mcp',
  },
  invalid_credit_limit: { status: 400, meaning: 'the header `X-Max-Credits` is invalid', only: 'mcp' },
  session_required: {
    status: 400,
    meaning: '`X-Max-Credits` is sent without `Mcp-Session-Id`, and not with `initialize`',
    only: 'mcp',
  },
  session_credits_exceeded: {
    status: 402,
    meaning: "the call can cost more credits than the session's limit leaves; it was not sent",
    only: 'mcp',
  },
  web_page_rejected: {
    status: 403,
    message: 'Web pages cannot call /mcp',
    meaning: 'a web page called `/mcp`',
    only: 'mcp',
  },
  session_not_found: { status: 404, meaning: 'the session has ended', hint: 'Send initialize again.', only: 'mcp' },
  answer_too_large: {
    status: 413,
    meaning: 'the answer is too large for a tool; the call was charged',
    hint: 'Ask for fewer items, with limit or fewer IDs.',
    only: 'mcp',
  },
  no_answer: {
    status: 504,
    meaning: 'the service did not answer a tool call, which may have been charged; `usage_get` tells what was',
    hint: 'Repeat the call later. It may have been charged, which usage_get tells.',
    only: 'mcp',
  },
} as const satisfies Record<string, ErrorRule>;

/** Stable name of an error. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Codes whose message is always the same. */
export type FixedCode = {
  [C in ErrorCode]: (typeof ERROR_CODES)[C] extends { readonly message: string } ? C : never;
}[ErrorCode];

/** Codes of look-ups that find nothing. */
export type NotFoundCode = {
  [C in FixedCode]: (typeof ERROR_CODES)[C]['status'] extends 404 ? C : never;
}[FixedCode];

/** Codes of an endpoint's 404s; the first is its example. */
export type NotFoundCodes = readonly [NotFoundCode, ...NotFoundCode[]];

export const errorRule = (code: ErrorCode): ErrorRule => ERROR_CODES[code];

/** Lists the codes of answers. @param withMcp whether to include those that occur only at `/mcp` */
export function listErrorCodes(withMcp: boolean): ErrorCode[] {
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => {
    const { only } = errorRule(code);
    return only === undefined || (withMcp && only === 'mcp');
  });
}

/** Path of the page that explains every code, each with its name as fragment. */
export const ERRORS_PATH = '/docs/errors';
