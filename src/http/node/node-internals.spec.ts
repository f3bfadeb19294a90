import { once } from 'node:events';
import { createServer, request, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import { connect, Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { detachMemory } from '../../model/detach-memory.js';
import { abortWithoutStackTraces, bytesAccepted, currentResponse } from './sockets.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n';

/** More than the kernel accepts for a client that does not read. */
const LARGE = Buffer.alloc(30_000_000);

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Serves with an answer, and connects to it. */
async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: object = {},
): Promise<Socket> {
  server = createServer(options, answer);
  Object.assign(server, { httpAllowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** What this folder takes from Node beyond its documentation. A new major of Node that changes one of these fails here. */
describe('Node', () => {
  it('keeps the response that is being sent on its socket as `_httpMessage` (currentResponse)', async () => {
    const seen: boolean[] = [];
    const socket = await open((_request, response) => {
      const { socket: own } = response;
      seen.push(own !== null && currentResponse(own) === (response as unknown));
      response.end();
      setImmediate(() => seen.push(own !== null && currentResponse(own) === null));
    });
    socket.write(REQUEST);
    await once(socket, 'data');
    await until('the response was sent', () => seen.length === 2);
    expect(seen).toEqual([true, true]);
  });

  it('counts bytes that the kernel has not accepted as `_handle.writeQueueSize` (bytesAccepted)', async () => {
    const socket = await open((_request, response) => response.end(LARGE));
    const accepted = once(server, 'connection').then(([own]) => own as Socket);
    socket.pause().write(REQUEST);
    const own = await accepted;
    await until('the kernel accepted a part of the response', () => bytesAccepted(own) > 0);
    expect(bytesAccepted(own)).toBeLessThan(LARGE.length);
    socket.resume();
    await until('the kernel accepted all of it', () => bytesAccepted(own) >= LARGE.length);
  });

  it('calls `detachSocket` of a response behind every answer (ApiResponse)', async () => {
    let detached = 0;
    class OwnResponse extends ServerResponse {
      override detachSocket(socket: Socket): void {
        super.detachSocket(socket);
        detached += 1;
      }
    }
    const socket = await open((_request, response) => response.end(), { ServerResponse: OwnResponse });
    socket.write(REQUEST);
    await once(socket, 'data');
    await until('it was detached', () => detached > 0);
    expect(detached).toBe(1);
  });

  it('assigns its socket to a pipelined response, with the event `socket`, when the one before it is sent (Pipelining)', async () => {
    const order: string[] = [];
    const responses: ServerResponse[] = [];
    const socket = await open((_request, response) => {
      order.push(response.socket === null ? 'waits' : 'starts');
      response.once('socket', () => order.push('its turn'));
      responses.push(response);
      if (responses.length === 2) responses[0]?.end();
    });
    socket.write(REQUEST.repeat(2));
    await once(socket, 'data');
    await until('the second response has begun', () => order.length === 3);
    expect(order).toEqual(['starts', 'waits', 'its turn']);
  });

  it('aborts the waiting requests between the first and the last listener of `close` (abortWithoutStackTraces)', async () => {
    const { stackTraceLimit } = Error;
    const limits: number[] = [];
    let received = 0;
    const socket = await open((waiting) => {
      received += 1;
      waiting.on('aborted', () => limits.push(Error.stackTraceLimit)).on('error', () => undefined);
    });
    server.on('connection', abortWithoutStackTraces);
    socket.write(REQUEST.repeat(3));
    await until('all wait', () => received === 3);
    socket.resetAndDestroy();
    await until('all were aborted', () => limits.length === 3);
    expect(limits).toEqual([0, 0, 0]);
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  it('closes a connection behind its last response by `destroySoon` (abandonUpload)', async () => {
    let calls = 0;
    const socket = await open((_request, response) => {
      response.shouldKeepAlive = false;
      if (response.socket !== null) response.socket.destroySoon = () => (calls += 1);
      response.end();
    });
    socket.write(REQUEST);
    await once(socket, 'data');
    await until('the socket was told', () => calls > 0);
    expect(calls).toBe(1);
  });

  it('answers a client that has ended its side, with `httpAllowHalfOpen`', async () => {
    const socket = await open((_request, response) => setTimeout(() => response.end('late'), 50));
    socket.end(REQUEST);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('stops listening and keeps its connections, by the close of `net.Server` (stopListening)', async () => {
    const socket = await open((_request, response) => response.end());
    await once(socket, 'connect');
    NetServer.prototype.close.call(server);
    socket.write(REQUEST);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const refused = request({ port: socket.remotePort, host: '127.0.0.1' }).end();
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('frees a buffer that is transferred to a closed port (detachMemory)', async () => {
    await open(() => undefined);
    const bytes = Buffer.from(new ArrayBuffer(1_000_000));
    detachMemory(bytes.buffer);
    expect(bytes.buffer.byteLength).toBe(0);
  });
});
