import type { Socket } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { connectTo } from '../../support/http/raw-socket.js';
import { aContent, aProfile } from '../../support/records/builders.js';
import { CALL_USAGE, postMessage } from '../../support/service/mcp-client.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const PROFILE = aProfile();
const ITEMS = 50;

const LIST_TOOLS = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const CALL_CONTENT = {
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: {
    name: 'content_by_profile',
    arguments: { platform: 'live_platform', profile_id: PROFILE.id, limit: ITEMS },
  },
};

const CALL_PROFILE = {
  jsonrpc: '2.0',
  id: 4,
  method: 'tools/call',
  params: { name: 'profiles_get', arguments: { platform: 'live_platform', profile_id: '10001' } },
};

/** Returns the bytes of a request. */
function requestOf(message: object, key: string): string {
  const body = JSON.stringify(message);
  const head = `POST /mcp HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nx-api-key: ${key}\r\n`;
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
}

describeService('many calls of one key', (service) => {
  beforeAll(async () => {
    await service().load('profiles', PROFILE);
    // Just below 2 MiB, and three times that in the answer to a tool call, where it is repeated as text.
    const description = '"'.repeat(20_000);
    const items = Array.from({ length: ITEMS }, () => aContent({ profile_id: PROFILE.id, description }));
    await service().load('content', ...items);
  });

  function callWithoutReading(key: string, calls: number): Socket {
    const socket = connectTo(service().origin).pause();
    socket.write(requestOf(CALL_CONTENT, key).repeat(calls));
    return socket;
  }

  it('that are not read make further requests of the key a 429, and no other', async () => {
    const { key } = await service().newKey(100_000);
    const send = (message: unknown) => postMessage(service(), message, { 'x-api-key': key });
    const sockets = Array.from({ length: 4 }, () => callWithoutReading(key, 8));
    let answer = await send(LIST_TOOLS);
    await until('a message is refused', async () => (answer = await send(LIST_TOOLS)).status === 429);
    expect([answer.headers['retry-after'], answer.body]).toEqual([
      '1',
      {
        jsonrpc: '2.0',
        error: {
          code: -32000,
          message: 'Rate limit exceeded',
          data: expect.objectContaining({ code: 'too_many_unread_answers' }),
        },
        id: null,
      },
    ]);
    expect((await send(CALL_USAGE)).status).toBe(429);
    expect((await service().get('/usage', { 'x-api-key': key })).status).toBe(429);
    expect((await postMessage(service(), CALL_USAGE)).body.result.isError).toBeUndefined();
    for (const socket of sockets) socket.destroy();
    await until('messages are answered again', async () => (await send(LIST_TOOLS)).status === 200);
    expect((await send(CALL_USAGE)).body.result.isError).toBeUndefined();
  });

  it('that list the tools let other keys go first', async () => {
    const [{ key }, other] = await Promise.all([service().newKey(100_000), service().newKey(100_000)]);
    const path = `/platforms/live_platform/profiles/${PROFILE.id}`;
    const sockets = Array.from({ length: 100 }, () => connectTo(service().origin));
    // Connections are accepted in their order.
    await service().get(path, { 'x-api-key': other.key });
    let answered = 0;
    for (const socket of sockets) {
      socket.once('data', () => (answered += 1));
      socket.write(requestOf(LIST_TOOLS, key));
    }
    expect((await service().get(path, { 'x-api-key': other.key })).status).toBe(200);
    expect((await postMessage(service(), LIST_TOOLS, { 'x-api-key': other.key })).status).toBe(200);
    expect(answered).toBeLessThan(50);
    await until('all lists are answered', () => answered === sockets.length);
    for (const socket of sockets) socket.destroy();
  });

  it('whose answers are slow on purpose do not delay those of live keys', async () => {
    const testKeys = await Promise.all([1, 2].map(() => service().newTestKey(1000)));
    let slowAnswers = 0;
    const slow = testKeys.flatMap(({ key }) =>
      Array.from({ length: 4 }, () =>
        postMessage(service(), CALL_PROFILE, { 'x-api-key': key, 'x-test-answer': 'slow' }).then(() => slowAnswers++),
      ),
    );
    // They take all places of their queue.
    await until('a slow call is answered', () => slowAnswers > 0);
    const before = slowAnswers;
    for (let nth = 0; nth < 5; nth++) expect((await postMessage(service(), CALL_USAGE)).status).toBe(200);
    expect([before <= 4, slowAnswers <= 4]).toEqual([true, true]);
    await Promise.all(slow);
  });
});
