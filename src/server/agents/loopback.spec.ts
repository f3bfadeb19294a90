import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueueFullError } from '../../http/traffic/fair-queue.js';
import { Loopback } from './loopback.js';

const GET = { method: 'GET', path: '/a/../b?c=%2F', body: null } as const;
const CALL = { key: 'k', left: new AbortController().signal };

describe('Loopback', () => {
  let server: Server;
  let loopback: Loopback;
  let answer: RequestListener;
  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '0.0.0.0');
    await once(server, 'listening');
    loopback = new Loopback(server);
  });
  afterEach(() => {
    loopback.close();
    server.closeAllConnections();
    server.close();
  });

  it('sends path and query as they are, with the key', async () => {
    answer = ({ url, headers }, response) => response.end(`${url} ${String(headers['x-api-key'])}`);
    expect((await loopback.send(GET, CALL)).body).toBe('/a/../b?c=%2F k');
  });

  it('sends a body as JSON', async () => {
    answer = (request, response) =>
      void request.pipe(response.setHeader('x-type', String(request.headers['content-type'])));
    const { headers, body } = await loopback.send({ method: 'POST', path: '/', body: '{"a":"ö"}' }, CALL);
    expect([headers['x-type'], body]).toEqual(['application/json', '{"a":"ö"}']);
  });

  it('hands over 2 MiB, and no more', async () => {
    const most = 2 * 1024 * 1024;
    answer = (_request, response) => response.end('x'.repeat(most));
    expect((await loopback.send(GET, CALL)).body).toHaveLength(most);
    answer = (_request, response) => response.end('x'.repeat(most + 1));
    expect(await loopback.send(GET, CALL)).toMatchObject({ status: 200, body: null });
  });

  it('refuses the call that comes while 256 are under way, and takes it when one is answered', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    answer = (_request, response) => void gate.then(() => response.end('x'));
    const calls = Array.from({ length: 256 }, () => loopback.send(GET, CALL));
    await expect(loopback.send(GET, CALL)).rejects.toThrow(QueueFullError);
    open();
    await Promise.all(calls);
    expect((await loopback.send(GET, CALL)).status).toBe(200);
  });

  it('sends the call of another key at once while one key has as many calls as it likes', async () => {
    const held: (() => void)[] = [];
    answer = ({ headers }, response) => {
      if (headers['x-api-key'] === 'flood') held.push(() => response.end('x'));
      else response.end('y');
    };
    const flood = Array.from({ length: 256 }, () =>
      loopback.send(GET, { ...CALL, key: 'flood' }).catch((error: unknown) => error),
    );
    expect((await loopback.send(GET, { ...CALL, key: 'other' })).body).toBe('y');
    expect(held).toHaveLength(4);
    answer = (_request, response) => response.end('x');
    for (const release of held) release();
    const answers = await Promise.all(flood);
    expect(answers.filter((result) => result instanceof QueueFullError)).toEqual([answers[255]]);
  });

  it('sends no call whose client leaves while it waits, or has left', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let sent = 0;
    answer = (_request, response) => {
      sent += 1;
      void gate.then(() => response.end('x'));
    };
    const running = Array.from({ length: 4 }, () => loopback.send(GET, CALL));
    const client = new AbortController();
    const waiting = loopback.send(GET, { ...CALL, left: client.signal });
    client.abort();
    await expect(waiting).rejects.toThrow(QueueFullError);
    open();
    await Promise.all(running);
    await expect(loopback.send(GET, { ...CALL, left: client.signal })).rejects.toThrow(QueueFullError);
    expect(sent).toBe(4);
  });

  it('fails where the connection is cut', async () => {
    answer = (request) => request.socket.destroy();
    await expect(loopback.send(GET, CALL)).rejects.toThrow('socket hang up');
  });
});
