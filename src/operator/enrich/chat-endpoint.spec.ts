import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatEndpoint, isUnsent } from './chat-endpoint.js';

let server: Server;
let reply = { status: 200, body: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(reply.status).end(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (apiKey: string, scheme = 'http') => {
  const { port } = server.address() as AddressInfo;
  return new ChatEndpoint({ baseUrl: `${scheme}://127.0.0.1:${port}`, apiKey }, 5000).complete('{}');
};
const SECRET = 'abcdefgh+ijkl/mnop';
const completion = (message: object) => ({ status: 200, body: JSON.stringify({ choices: [{ message }] }) });

describe('ChatEndpoint', () => {
  it.each(['test', 'null', '1', 'e', ':', '"'])('reads an answer although it has the short key %j', async (key) => {
    const content = '{"biography":"the latest test, null"}';
    const usage = { prompt_tokens: 11, completion_tokens: 10 };
    const choices = [{ finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }];
    reply = { status: 200, body: JSON.stringify({ choices, usage }) };
    expect(await ask(key)).toEqual({
      kind: 'reply',
      reply: { result: { text: content }, isCut: false, usage: { input: 11, output: 10 } },
    });
  });

  it.each([
    [`{"biography":"The key is ${SECRET}."}`, '{"biography":"The key is …."}'],
    ['{"biography":"The key is abcdefgh\\u002bijkl\\/mnop."}', '{"biography":"The key is …."}'],
    [`\`\`\`\n{"biography":"${SECRET}"}\n\`\`\``, '```\n{"biography":"…"}\n```'],
    ['{ "biography" : "No key." }', '{ "biography" : "No key." }'],
  ])('removes a long key from the answer %j', async (content, text) => {
    reply = completion({ content });
    expect(await ask(SECRET)).toMatchObject({ reply: { result: { text } } });
  });

  it.each([SECRET, 'short'])('removes the key %j from a refusal', async (key) => {
    reply = completion({ refusal: `${'x'.repeat(290)} ${key} is the key` });
    expect(await ask(key)).toMatchObject({ reply: { result: { refusal: expect.stringMatching(/x … is/) } } });
  });

  it.each([
    '{"error":{"message":"bad key abcdefgh\\u002bijkl\\/mnop"}}',
    '{"error":"bad key abcdefgh+ijkl\\/mnop"}',
    '{"detail":"bad key abcdefgh\\u002bijkl\\/mnop"}',
    `bad key ${SECRET}`,
  ])('removes the key from the error %s', async (body) => {
    reply = { status: 401, body };
    expect(await ask(SECRET)).toMatchObject({
      kind: 'rejected',
      error: { message: expect.stringMatching(/bad key …/) },
    });
  });

  it('leaves no part of a key where an error is shortened', async () => {
    reply = { status: 401, body: JSON.stringify({ error: { message: `${'x'.repeat(290)} ${SECRET}` } }) };
    expect(await ask(SECRET)).toMatchObject({ error: { message: `${'x'.repeat(290)} …` } });
  });

  it('counts a request as unsent if there is no TLS', async () => {
    expect(await ask(SECRET, 'https')).toMatchObject({ kind: 'unsent' });
  });
});

describe('isUnsent', () => {
  it.each([
    ['CERT_HAS_EXPIRED', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
    ['ECONNREFUSED', true],
    ['ECONNRESET', false],
    ['UND_ERR_SOCKET', false],
  ])('%s: %s', (code, expected) => {
    expect(isUnsent(code)).toBe(expected);
  });
});
