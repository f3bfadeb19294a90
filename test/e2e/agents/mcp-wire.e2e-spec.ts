import { describe, expect, it } from '@jest/globals';
import { version } from '../../../src/model/version.js';
import { exchange } from '../../support/http/raw-socket.js';
import { CALL_USAGE, INITIALIZE, McpClient, postMessage } from '../../support/service/mcp-client.js';
import { describeService } from '../../support/service/test-service.js';
import { exportedRecords, recordOf } from '../../support/service/usage.js';

const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const UNKNOWN_TOOL = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } };
const MISTYPED = `cdk_${'0'.repeat(52)}`;

describeService('messages to /mcp', (service) => {
  it('are answered as JSON, without a session, in the version that the client names', async () => {
    const { status, headers, body } = await postMessage(service(), INITIALIZE);
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'creator-data', version: version() },
      },
    });
  });

  it('are free, unrecorded and counted in the minute; a tool call counts as the request that it makes', async () => {
    const { id, key } = await service().newKey(6);
    const send = (message: unknown) => postMessage(service(), message, { 'x-api-key': key });
    const left: unknown[] = [];
    for (const message of [INITIALIZE, LIST_TOOLS, 'not JSON', [], CALL_USAGE, UNKNOWN_TOOL]) {
      left.push((await send(message)).headers['x-ratelimit-minute-remaining']);
    }
    expect(left).toEqual(['5', '4', '3', '2', undefined, '0']);
    for (const message of [LIST_TOOLS, UNKNOWN_TOOL]) {
      const { status, headers, body } = await send(message);
      expect([status, headers['retry-after'], body.error.message]).toEqual([
        429,
        expect.stringMatching(/^\d+$/),
        'Rate limit exceeded',
      ]);
    }
    expect((await send(CALL_USAGE)).body.result).toMatchObject({ isError: true });
    const records = (await exportedRecords(service())).filter((row) => row.key_id === id);
    expect(records.map(({ operation, status }) => [operation, status])).toEqual([
      ['usage.get', 200],
      ['usage.get', 429],
    ]);
  });

  it('of a key far above its limit are refused before they are read', async () => {
    const { key } = await service().newKey(2);
    for (let count = 0; count < 25; count += 1) await postMessage(service(), UNKNOWN_TOOL, { 'x-api-key': key });
    // The body never comes.
    const head = `POST /mcp HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n`;
    const { answers } = await exchange(service().origin, `${head}Content-Length: 100\r\n\r\n`);
    expect(answers.map(({ status, headers }) => [status, headers['x-ratelimit-minute-remaining']])).toEqual([
      [429, '0'],
    ]);
  });

  it('of more than 8 KiB count before they are read, so that a key above its limit cannot keep the service busy', async () => {
    const { key } = await service().newKey(2);
    const large = { ...CALL_USAGE, params: { ...CALL_USAGE.params, _meta: { padding: 'x'.repeat(8192) } } };
    const send = () => postMessage(service(), large, { 'x-api-key': key });
    expect((await send()).body.result.isError).toBeUndefined();
    expect((await send()).status).toBe(429);
    // The body never comes.
    const head = `POST /mcp HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n`;
    const { answers } = await exchange(service().origin, `${head}Content-Length: 200000\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([429]);
  });

  it('accept the key as a bearer token, for clients that can send no other header', async () => {
    const authorization = `Bearer ${service().key}`;
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await service().request('/mcp', {
      method: 'POST',
      body: JSON.stringify(CALL_USAGE),
      headers: { ...headers, 'x-api-key': [] },
    });
    expect([answer.status, answer.body.result.isError]).toEqual([200, undefined]);
  });

  it('notifications are accepted with 202 and no body', async () => {
    const { status, text } = await postMessage(service(), { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([status, text]).toEqual([202, '']);
  });

  describe('without a valid key', () => {
    it('are 401 with WWW-Authenticate from the first one on, and recorded as refusals', async () => {
      const { id, key } = await service().newKey();
      await service().keys.revoke(id);
      for (const [wrong, message, code] of [
        ['', 'API key is required', 'missing_api_key'],
        [MISTYPED, 'Invalid API key', 'invalid_api_key'],
        [key, 'Invalid API key', 'invalid_api_key'],
      ] as const) {
        const { status, headers, body } = await postMessage(service(), INITIALIZE, { 'x-api-key': wrong });
        expect([status, headers['www-authenticate']]).toEqual([401, 'ApiKey realm="x-api-key"']);
        expect(body.error).toMatchObject({ status: 401, message, code });
        expect(await recordOf(service(), headers['x-request-id'])).toMatchObject({ key_id: null, status: 401 });
      }
      await expect(McpClient.connect(service().origin, MISTYPED)).rejects.toThrow('Invalid API key');
    });

    it('count as wrong keys of their address over HTTP as well, so neither limit can be bypassed', async () => {
      try {
        service().clock.advance(61_000);
        const statuses: number[] = [];
        for (let nth = 0; nth < 31; nth += 1) {
          statuses.push((await postMessage(service(), CALL_USAGE, { 'x-api-key': MISTYPED })).status);
        }
        expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
        expect((await service().get('/usage', { 'x-api-key': MISTYPED })).status).toBe(429);
        // A valid key from that address is still served, also over MCP.
        const { body } = await postMessage(service(), CALL_USAGE);
        expect(body.result.structuredContent.meta).toHaveProperty('totals');
      } finally {
        service().clock.advance(61_000);
      }
    });
  });

  describe('that are malformed', () => {
    it.each([
      ['not JSON', '{', 400, -32700, 'Request body must be valid JSON', 'invalid_json'],
      [
        'several in one',
        JSON.stringify([CALL_USAGE, CALL_USAGE]),
        400,
        -32000,
        'Messages must be sent one by one',
        'invalid_message',
      ],
      ['JSON but no JSON-RPC', '{"a":1}', 400, -32600, 'The message is not JSON-RPC 2.0', 'invalid_message'],
      [
        'larger than 256 KiB',
        JSON.stringify('x'.repeat(256 * 1024)),
        413,
        -32000,
        'Request body must not exceed 256 KiB',
        'body_too_large',
      ],
    ])(
      '%s: a JSON-RPC error with the code of the API in `data`',
      async (_name, sent, status, code, message, apiCode) => {
        const answer = await postMessage(service(), sent);
        const data = expect.objectContaining({ code: apiCode, documentation_url: `/docs/errors#${apiCode}` });
        expect([answer.status, answer.body]).toEqual([
          status,
          { jsonrpc: '2.0', error: { code, message, data }, id: null },
        ]);
      },
    );

    it.each([
      [-32600, { jsonrpc: '1.0', id: 7, method: 'tools/list' }, 'The message is not JSON-RPC 2.0'],
      [-32602, { jsonrpc: '2.0', id: 7, method: 'tools/call' }, /^params: /],
      [-32602, { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 5 } }, /^params\.name: /],
      [-32602, { ...CALL_USAGE, id: 7, params: { name: 'usage_get', arguments: 'x' } }, /^params\.arguments: /],
      [-32602, { ...INITIALIZE, id: 7, params: { protocolVersion: 5 } }, /^params\.protocolVersion: /],
    ])('with an ID: error %d with that ID, for %j', async (code, sent, message) => {
      const { status, body } = await postMessage(service(), sent);
      expect([status, body]).toEqual([
        400,
        {
          jsonrpc: '2.0',
          error: {
            code,
            message: expect.stringMatching(message),
            data: expect.objectContaining({ code: 'invalid_message' }),
          },
          id: 7,
        },
      ]);
    });

    it('with a method named like a property of every object: an unknown method', async () => {
      const { body } = await postMessage(service(), { jsonrpc: '2.0', id: 7, method: 'toString' });
      expect([body.error.code, body.id]).toEqual([-32601, 7]);
    });

    it('with an object of more than 100 members: invalid', async () => {
      const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, nth) => [`m${nth}`, nth]));
      const call = (params: object) =>
        postMessage(service(), { ...CALL_USAGE, params: { name: 'usage_get', ...params } });
      for (const params of [
        { arguments: many(101) },
        { arguments: {}, _meta: many(101) },
        { arguments: { x: [many(101)] } },
      ]) {
        const { status, body } = await call(params);
        expect([status, body.error.code, body.error.message]).toEqual([
          400,
          -32602,
          'An object has more than 100 members',
        ]);
      }
      expect((await call({ arguments: {}, _meta: many(100) })).status).toBe(200);
    });

    it.each([
      [100, 'body_too_deep', 'nested deeper than 64 levels', 7],
      [5_000, 'body_too_complex', 'have more than 1000 arrays, objects and members', null],
      [40_000, 'body_too_complex', 'have more than 1000 arrays, objects and members', null],
    ])('nested %d levels deep: invalid, with what is wrong', async (levels, code, problem, id) => {
      const deep = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
      for (const params of [`{"name":"usage_get","arguments":{"x":${deep}}}`, `{"name":${deep}}`, deep]) {
        const { status, body } = await postMessage(
          service(),
          `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
        );
        expect([status, body]).toEqual([
          400,
          {
            jsonrpc: '2.0',
            error: {
              code: -32600,
              message: `Request body must not ${code === 'body_too_deep' ? 'be ' : ''}${problem}`,
              data: expect.objectContaining({ code }),
            },
            id,
          },
        ]);
      }
    });

    it('of a content type other than JSON: 415', async () => {
      const { status, body } = await postMessage(service(), CALL_USAGE, { 'content-type': 'text/plain' });
      expect([status, body.error.message]).toEqual([415, 'Content-Type must be application/json']);
    });

    it('with another method: 405 with Allow, and not recorded', async () => {
      const { id, key } = await service().newKey();
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, headers } = await service().request('/mcp', { method, headers: { 'x-api-key': key } });
        expect([method, status, headers.allow]).toEqual([method, 405, 'POST, DELETE']);
      }
      expect((await exportedRecords(service())).filter((row) => row.key_id === id)).toEqual([]);
    });

    it('of an unknown protocol version: 400', async () => {
      const { status, body } = await postMessage(service(), CALL_USAGE, { 'mcp-protocol-version': '1999-01-01' });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('Unsupported protocol version')]);
      expect(body.error.data.code).toBe('invalid_message');
    });
  });

  it('from a web page are rejected, whatever host name the page has given this machine', async () => {
    const host = new URL(service().origin).host;
    for (const origin of [`http://${host}`, 'https://rebound.example', 'null']) {
      const { status, body } = await postMessage(service(), CALL_USAGE, { origin });
      expect([status, body.error.message]).toEqual([403, 'Web pages cannot call /mcp']);
    }
    expect((await postMessage(service(), CALL_USAGE, { origin: 'vscode-file://vscode-app' })).status).toBe(200);
  });

  it('of an unknown session: 404', async () => {
    for (const session of ['x', '00000000-0000-4000-8000-000000000000']) {
      expect((await postMessage(service(), CALL_USAGE, { 'mcp-session-id': session })).status).toBe(404);
    }
  });
});
