import { describe, expect, it } from '@jest/globals';
import { describeError } from './error-body.js';
import { ApiError, fixedError, keyMissing, limitExceeded, methodNotAllowed, nodeError } from './api-error.js';
import { ERROR_CODES, errorRule, listErrorCodes, type ErrorCode } from './error-codes.js';

describe('ApiError', () => {
  it('has the status, the message and the hint of its code', () => {
    expect(fixedError('path_not_found')).toMatchObject({
      status: 404,
      message: 'Not found',
      hint: 'The page at /docs lists the paths.',
      headers: {},
    });
  });

  it('takes status and hint from its details where they differ', () => {
    const details = { status: 401, hint: 'Ask.', headers: { Allow: 'GET' }, parameter: 'p', allowed: ['a'] };
    expect(new ApiError('invalid_api_key', 'Text', details)).toMatchObject({ message: 'Text', ...details });
  });

  it('captures no stack trace, and leaves those of other errors alone', () => {
    const { stackTraceLimit } = Error;
    expect(fixedError('profile_not_found').stack).toBe('Error: Profile not found');
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(new Error('other').stack).toContain('\n    at ');
  });

  it('of Node has the reason phrase of its status', () => {
    expect(nodeError('headers_too_large')).toMatchObject({ status: 431, message: 'Request Header Fields Too Large' });
  });

  it.each([
    [0.2, '1'],
    [-3, '1'],
    [2.1, '3'],
  ])('of a limit that ends in %d s says to wait %s s', (seconds, retryAfter) => {
    expect(limitExceeded('rate_limit_exceeded', seconds).headers).toEqual({ 'Retry-After': retryAfter });
  });

  it('of a method lists the accepted methods in a header and in `allowed`', () => {
    expect(methodNotAllowed(['GET', 'HEAD'])).toMatchObject({
      allowed: ['GET', 'HEAD'],
      headers: { Allow: 'GET, HEAD' },
    });
  });

  it('of a missing key mentions Authorization only if it was sent', () => {
    expect(keyMissing().hint).toBe('Send the key in the header x-api-key.');
    expect(keyMissing('').hint).toBe('Send the key in the header x-api-key. Authorization is ignored.');
  });
});

it('an error that a client can wait for, or report, has a hint', () => {
  const codes = Object.entries(ERROR_CODES);
  const silent = codes.filter(([, rule]) => (rule.status === 429 || rule.status >= 500) && !('hint' in rule));
  expect(silent.map(([code]) => code)).toEqual([]);
});

describe('describeError', () => {
  it('begins with the two members of the reference, and omits what does not apply', () => {
    expect(JSON.stringify(describeError(fixedError('content_not_found')))).toBe(
      '{"status":404,"message":"Content not found","code":"content_not_found",' +
        '"documentation_url":"/docs/errors#content_not_found"}',
    );
  });
});

describe('the table of error codes', () => {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];

  it.each(codes)('%s is in snake case, and its meaning is part of a sentence', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(errorRule(code).meaning).toMatch(/^[`a-z][^]*[^.]$/);
  });

  it('separates the codes of the API from those of /mcp, and from what clients never see', () => {
    const [api, all] = [listErrorCodes(false), listErrorCodes(true)];
    expect(codes.filter((code) => !all.includes(code))).toEqual(['client_closed']);
    expect(all.filter((code) => !api.includes(code))).toContain('unknown_tool');
    expect(api).toContain('unknown_parameter');
  });
});
