import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { methodNotAllowed } from './api-error.js';
import { closeGently } from './close-gently.js';
import type { Connections } from './connections.js';
import type { ApiRequest, ApiResponse } from './api-request.js';
import { refuse } from './refusal.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers what is not HTTP at all in the envelope of every other error; no request comes of it, so none is recorded. */
export function answerMalformedRequests(server: Server, connections: Connections): void {
  /** Their parser has given up, and says so again with whatever else they send. */
  const broken = new WeakSet<Socket>();
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    if (!code.startsWith('HPE_') && !(code in STATUS_OF)) {
      socket.destroy();
      return;
    }
    const answer = () => {
      if (socket.writable) closeGently(socket, malformed(STATUS_OF[code] ?? 400));
    };
    const last = connections.lastOf(socket);
    if (last === null) answer();
    // What was asked for properly is answered first.
    else if (last.req.complete) last.once('close', answer);
    else if (last.socket === null) last.removeAllListeners('socket').once('socket', answer);
    else if (!last.headersSent) answer();
    else last.once('close', () => closeGently(socket));
  });
}

/** Answers CONNECT, for which Node makes no response, like any method that a path does not know. */
export function answerConnect(
  server: Server,
  connections: Connections,
  respond: (request: ApiRequest) => ApiResponse,
): void {
  server.on('connect', (request: ApiRequest, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const answer = () => {
      if (!socket.writable) return;
      const response = respond(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => closeGently(socket));
      refuse(request, methodNotAllowed(['GET', 'HEAD', 'POST']));
      connections.take(request, response);
    };
    const last = connections.lastOf(socket);
    if (last === null) answer();
    else last.once('close', answer);
  });
}

function malformed(status: number): string {
  const message = STATUS_CODES[status] ?? 'Bad Request';
  const requestId = randomUUID();
  const body = JSON.stringify({ error: { status, message }, meta: { request_id: requestId } });
  return (
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`
  );
}
