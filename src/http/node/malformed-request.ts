import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { lingerClose } from './linger-close.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import type { Pipelining } from '../traffic/pipelining.js';
import type { Traffic } from '../traffic/traffic.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers malformed HTTP with the error envelope. There is no request, so nothing is recorded. */
export function answerMalformedRequests(server: Server, pipelining: Pipelining): void {
  /** Connections whose parser failed. It emits the error again for every further chunk. */
  const broken = new WeakSet<Socket>();
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    if (!code.startsWith('HPE_') && !(code in STATUS_OF)) {
      socket.destroy();
      return;
    }
    const answer = () => {
      if (socket.writable) lingerClose(socket, malformed(STATUS_OF[code] ?? 400));
    };
    const last = pipelining.lastResponse(socket);
    if (last === null) answer();
    // Answer valid requests before it first.
    else if (last.req.complete) last.once('close', answer);
    else if (last.socket === null) last.removeAllListeners('socket').once('socket', answer);
    else if (!last.headersSent) answer();
    else last.once('close', () => lingerClose(socket));
  });
}

/** Answers CONNECT like any other unsupported method. Node creates no response for it. */
export function answerConnect(
  server: Server,
  traffic: Traffic,
  createResponse: (request: ApiRequest) => ApiResponse,
): void {
  server.on('connect', (request: ApiRequest, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const answer = () => {
      if (!socket.writable) return;
      const response = createResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => lingerClose(socket));
      traffic.receive(request, response);
    };
    const last = traffic.pipelining.lastResponse(socket);
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
