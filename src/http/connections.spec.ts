import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Connections, LIMITS, type ConnectionLimits } from './connections.js';
import type { ApiRequest, ApiResponse } from './api-request.js';

/** More than the system takes for a caller that does not read. */
const LARGE = Buffer.alloc(30_000_000);
const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** A server that notes what was begun; `answer` answers it. */
async function serve(
  limits: Partial<ConnectionLimits>,
  answer: (response: ApiResponse, connections: Connections) => void,
) {
  const begun: ApiResponse[] = [];
  server = createServer();
  const connections: Connections = new Connections(
    server,
    (_request, response) => {
      begun.push(response);
      answer(response, connections);
    },
    (_request, response) => response.writeHead(503).end(),
    { ...LIMITS, lookMs: 20, ...limits },
  );
  server.on('request', (request, response) => connections.take(request as ApiRequest, response as ApiResponse));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { begun, connections };
}

function client(requests: number): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(REQUEST.repeat(requests));
  sockets.push(socket);
  return socket;
}

/** How many connections the server has. */
const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await holds()) && Date.now() < deadline) await delay(5);
}

/** An answer that is counted until it was taken. */
const large = (response: ApiResponse, connections: Connections) => {
  connections.sending(response, LARGE.length);
  connections.leave(response);
  response.end(LARGE);
};

describe('connections', () => {
  it('begin a pipelined request only when the answer before it was taken, and then all, in order', async () => {
    const { begun } = await serve({}, large);
    const socket = client(3);
    await soon(() => begun.length > 0);
    await delay(100);
    expect(begun).toHaveLength(1);
    let bytes = 0;
    socket.on('data', ({ length }: Buffer) => (bytes += length));
    socket.resume();
    await soon(() => bytes >= 3 * LARGE.length);
    expect(begun).toHaveLength(3);
  });

  it('are closed when nothing is taken of an answer for a while, and not while it is read slowly', async () => {
    const { begun } = await serve({ stalledMs: 300 }, large);
    client(1);
    const slow = client(1);
    slow.on('data', () => slow.pause());
    const reading = setInterval(() => slow.resume(), 5);
    await soon(() => begun.length === 2);
    await soon(async () => (await open()) === 1);
    await delay(400);
    clearInterval(reading);
    expect([await open(), begun.map(({ destroyed }) => destroyed)]).toEqual([1, [true, false]]);
  });

  it('are closed earlier when too many bytes wait, and no more of them than need be', async () => {
    const { begun } = await serve({ manyBytes: LARGE.length * 1.5, pressedMs: 100 }, large);
    client(1);
    await soon(() => begun.length === 1);
    await delay(200);
    expect(await open()).toBe(1);
    client(1);
    await soon(async () => begun.length === 2 && (await open()) === 1);
    await delay(200);
    expect(begun.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });

  it('begin nothing while too many bytes wait, and go on as soon as they were taken', async () => {
    const { begun } = await serve({ tooManyBytes: LARGE.length / 2 }, large);
    const first = client(1);
    await soon(() => begun.length === 1);
    client(1);
    await delay(150);
    expect(begun).toHaveLength(1);
    first.resume();
    await soon(() => begun.length === 2);
    expect(begun).toHaveLength(2);
  });

  it('begin as many requests at a time as may be under way, and forget those whose client has gone', async () => {
    const { begun, connections } = await serve({ underWay: 2 }, () => undefined);
    const [first] = [client(1), client(1), client(1), client(1)];
    await delay(100);
    expect(begun).toHaveLength(2);
    const [, second] = begun;
    if (second !== undefined) connections.leave(second);
    await soon(() => begun.length === 3);
    expect(begun).toHaveLength(3);
    first.destroy();
    await soon(() => begun.length === 4);
    expect(begun).toHaveLength(4);
  });

  it('turn away requests that wait too long for their turn, but for the health check', async () => {
    const { begun } = await serve({ underWay: 1, patienceMs: 100 }, () => undefined);
    client(1);
    await soon(() => begun.length === 1);
    const [status] = (await once(client(1).resume(), 'data').then(([bytes]) =>
      String(bytes).split('\r\n'),
    )) as string[];
    expect(status).toBe('HTTP/1.1 503 Service Unavailable');
    expect(begun).toHaveLength(1);
    client(0).write(REQUEST.replace(' / ', ' /health '));
    await soon(() => begun.length === 2);
    expect(begun).toHaveLength(2);
  });

  it('are closed when they have more waiting than the process keeps', async () => {
    const { begun } = await serve({ waitingRequests: 5 }, () => undefined);
    client(6);
    await delay(50);
    expect([await open(), begun.length]).toEqual([1, 1]);
    client(2);
    await soon(async () => begun.length === 2 && (await open()) === 1);
    expect(await open()).toBe(1);
  });
});
