import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { nodeError, type ApiError } from '../errors/api-error.js';
import { createErrorBody } from '../errors/error-body.js';
import type { ErrorCode } from '../errors/error-codes.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import type { OriginHeaders } from '../cross-origin.js';
import { probeReader } from '../traffic/abandoned-request.js';
import type { CountedResponse } from '../traffic/counted-response.js';
import type { Pipelining } from '../traffic/pipelining.js';
import type { Traffic } from '../traffic/traffic.js';
import { abandonUpload, lingerClose } from './linger-close.js';

/** Error codes of Node's errors; `malformed_request` for its other parser errors. */
const CODE_OF: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Error of Node's HTTP parser, or of a timeout. */
interface ClientError extends NodeJS.ErrnoException {
  /** Bytes in which the parser failed. */
  readonly rawPacket?: Buffer;
}

/** Answers malformed HTTP with the error envelope. Nothing is recorded, unless it belongs to a request in flight. */
export function answerMalformedRequests(server: Server, pipelining: Pipelining, originHeaders: OriginHeaders): void {
  /** Connections whose parser failed. It emits the error again for every further chunk. */
  const broken = new WeakSet<Socket>();
  server.on('clientError', ({ code = '', rawPacket }: ClientError, socket: Socket) => {
    if (broken.has(socket)) return;
    broken.add(socket);
    if (!code.startsWith('HPE_') && !(code in CODE_OF)) {
      socket.destroy();
      return;
    }
    const error = nodeError(CODE_OF[code] ?? 'malformed_request');
    const answer = () => {
      if (socket.writable) lingerClose(socket, formatResponse(error, originHeaders(findOrigin(rawPacket))));
    };
    const last = pipelining.lastResponse(socket);
    if (last === null) answer();
    // Answer valid requests before it first.
    else if (last.req.complete) last.once('close', answer);
    else if (last.socket === null) last.removeAllListeners('socket').once('socket', answer);
    else if (last.headersSent) last.once('close', () => lingerClose(socket));
    else void failInFlight(last, error, code === 'HPE_INVALID_EOF_STATE');
  });
}

/**
 * Leaves the answer to the handler, which knows whose request it is and records it.
 * @param hasEnded whether the client ended its side in the middle of the body
 */
async function failInFlight(response: CountedResponse, error: ApiError, hasEnded: boolean): Promise<void> {
  const { req: request } = response;
  (request as ApiRequest).rejection = error;
  abandonUpload(response);
  if (hasEnded) await probeReader(response);
  // Ends the wait for the body. A closed connection has ended it, or is about to.
  if (!request.socket.destroyed) request.emit('aborted');
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

/** Finds the header `Origin` in the bytes of a malformed request; null if they do not contain it. */
const findOrigin = (packet: Buffer | undefined): string | null =>
  /^origin:[ \t]*(\S+)[ \t]*\r?$/im.exec(packet?.toString('latin1') ?? '')?.[1] ?? null;

/** @param more further headers: alternating names and values */
function formatResponse(error: ApiError, more: readonly string[]): string {
  const { status } = error;
  const requestId = randomUUID();
  const body = JSON.stringify(createErrorBody(error, requestId));
  const length = String(Buffer.byteLength(body));
  const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length, 'X-Request-Id', requestId];
  const headers = [...own, ...more, 'Connection', 'close'];
  const lines = headers.map((text, at) => `${text}${at % 2 === 0 ? ': ' : '\r\n'}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
