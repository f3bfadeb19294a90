import { beforeAll, describe, expect, it } from '@jest/globals';
import { describeService } from '../support/service/test-service.js';
import { Description, loadOneOfEach, OPERATION_IDS, requestOf, sendOperation } from '../support/openapi/operations.js';
import type { ErrorCode } from '../../src/http/errors/error-codes.js';
import type { Answer } from '../support/http/request.js';

/** A 400 that is not about the platform in the path. */
interface OtherError {
  readonly query: string;
  readonly code: ErrorCode;
  readonly parameter: string;
  readonly message?: string;
}

const OTHER_ERRORS: Readonly<Partial<Record<string, OtherError>>> = {
  'games.search': { query: '', code: 'missing_parameter', parameter: 'query' },
  'games.changes': {
    query: 'limit=0',
    code: 'invalid_parameter',
    parameter: 'limit',
    message: 'limit must be an integer between 1 and 100',
  },
  'usage.get': {
    query: 'start_date=x',
    code: 'invalid_parameter',
    parameter: 'start_date',
    message: 'start_date must be a calendar date, YYYY-MM-DD',
  },
};

/** Checks the headers of every answer to a valid key. */
function expectReceipt({ headers }: Answer): void {
  expect(headers['x-ratelimit-minute-limit']).toBe('1000000');
  expect(Number(headers['x-ratelimit-minute-remaining'])).toBeLessThan(1_000_000);
  expect(headers['x-ratelimit-minute-reset']).toMatch(/^\d{10}$/);
  expect(headers['x-quota-units']).toMatch(/^\d+$/);
  expect(headers['x-credits']).toMatch(/^\d+$/);
}

describeService('every endpoint of /openapi.json', (service) => {
  let description: Description;
  let id: string;

  beforeAll(async () => {
    description = await Description.of(service());
    id = await loadOneOfEach(service());
    await service().untilSearchable();
  });

  const send = (operationId: string, query?: string, headers?: Record<string, string>) => {
    const replacement = query === undefined ? {} : { query };
    return sendOperation(service(), requestOf(description.operation(operationId), id, replacement), headers);
  };

  /** Checks that the body is the error envelope, with the ID of the header, and that its members are in order. */
  function expectError(answer: Answer, status: number, message: string, code: ErrorCode): void {
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      error: expect.objectContaining({ status, message, code, documentation_url: `/docs/errors#${code}` }),
      meta: { request_id: answer.headers['x-request-id'] },
    });
    expect(Object.keys(answer.body.error).slice(0, 3)).toEqual(['status', 'message', 'code']);
    expect(description.problemsOfError(answer.body)).toEqual([]);
  }

  it('the description lists every operation once; only the health checks need no key', () => {
    const listed = description.operations.map(({ operationId }) => operationId);
    expect(listed.toSorted()).toEqual([...OPERATION_IDS, 'health', 'health.live'].toSorted());
    expect(description.operations.filter(({ needsKey }) => !needsKey).map(({ path }) => path)).toEqual([
      '/health',
      '/health/live',
    ]);
  });

  describe.each(OPERATION_IDS)('%s', (operationId) => {
    it('200: the body matches the description; headers state the cost and the rest of the minute', async () => {
      const answer = await send(operationId);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(description.problemsOfSuccess(description.operation(operationId), answer.body)).toEqual([]);
      const { payload } = answer.body;
      expect(operationId === 'usage.get' || !Array.isArray(payload) || payload.length > 0).toBe(true);
      expectReceipt(answer);
    });

    it('200: the check reports a body that does not match the description', async () => {
      const { body } = await send(operationId);
      const operation = description.operation(operationId);
      expect(description.problemsOfSuccess(operation, { ...body, extra: 1 })).not.toEqual([]);
      expect(description.problemsOfSuccess(operation, { ...body, meta: {} })).not.toEqual([]);
      expect(description.problemsOfSuccess(operation, { ...body, payload: null })).not.toEqual([]);
    });

    it('400: an unknown parameter is named, costs nothing and counts in the minute', async () => {
      const before = await send(operationId);
      const answer = await send(operationId, 'no_such_parameter=1');
      expectError(answer, 400, 'Unknown parameter: no_such_parameter', 'unknown_parameter');
      expectReceipt(answer);
      expect([answer.headers['x-quota-units'], answer.headers['x-credits']]).toEqual(['0', '0']);
      const remaining = ({ headers }: Answer) => Number(headers['x-ratelimit-minute-remaining']);
      expect(remaining(answer)).toBe(remaining(before) - 1);
    });

    it('400: Invalid platform or missing required parameter', async () => {
      const operation = description.operation(operationId);
      const other = OTHER_ERRORS[operationId];
      const wrong = other === undefined ? { path: { platform: 'nowhere' } } : { query: other.query };
      const answer = await sendOperation(service(), requestOf(operation, id, wrong));
      const { code = 'invalid_platform', parameter = 'platform' } = other ?? {};
      expect(answer.status).toBe(400);
      expectError(answer, 400, other?.message ?? 'Invalid platform or missing required parameter', code);
      expect(answer.body.error.parameter).toBe(parameter);
      expectReceipt(answer);
    });

    it('401: `x-api-key` header missing: `API key is required`', async () => {
      const answer = await send(operationId, 'no_such_parameter=1', { 'x-api-key': '' });
      expectError(answer, 401, 'API key is required', 'missing_api_key');
      expect(answer.headers).toHaveProperty('www-authenticate');
      for (const name of ['x-ratelimit-minute-limit', 'x-quota-units', 'x-credits']) {
        expect(answer.headers).not.toHaveProperty(name);
      }
    });

    it('403: Key unknown, invalid or revoked: `Invalid API key`', async () => {
      const answer = await send(operationId, 'no_such_parameter=1', { 'x-api-key': 'wrong' });
      expectError(answer, 403, 'Invalid API key', 'invalid_api_key');
      expect(answer.headers).not.toHaveProperty('x-ratelimit-minute-limit');
    });

    it('405: another method is rejected with `Allow`', async () => {
      const { path } = requestOf(description.operation(operationId), id, { query: '' });
      const answer = await service().request(path, { method: 'DELETE' });
      expectError(answer, 405, 'Method not allowed', 'method_not_allowed');
      expect(answer.body.error.allowed.join(', ')).toBe(answer.headers.allow);
      expect(answer.headers.allow).toContain(description.operation(operationId).method);
      expectReceipt(answer);
    });
  });

  it('404: a look-up error matches the description; headers state the cost and the rest of the minute', async () => {
    const singles = description.operations.filter(({ path }) => path.endsWith('_id}') || path.includes('_id}/'));
    expect(singles.length).toBeGreaterThan(7);
    for (const operation of singles) {
      const unknown = { profile_id: 'unknown', content_id: 'unknown', game_id: 'unknown' };
      const answer = await sendOperation(service(), requestOf(operation, id, { path: unknown }));
      const { message } = answer.body.error;
      expect(message).toMatch(/^(Profile|Content|Game) not found$/);
      expectError(answer, 404, message, message.toLowerCase().replaceAll(' ', '_'));
      expectReceipt(answer);
    }
  });
});
