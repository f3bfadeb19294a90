import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CountedResponse } from './counted-response.js';
import { abortWithoutStackTraces, currentResponse } from '../node/sockets.js';

/** Maximum pipelined requests, over all connections, that wait behind an earlier response. */
export const MAX_PIPELINED = 8192;

/** Requests that wait on one connection before it is read no further. Until then it is read on, to see its client leave. */
const MAX_READ_AHEAD = 1000;

interface Connection {
  /** Responses of requests that wait behind an earlier response, in order. */
  readonly waiting: CountedResponse[];
  isPauseDue: boolean;
  hasHadRequest: boolean;
}

/**
 * Starts a request once the response before it on its connection was sent. Node would start every parsed request and buffer
 * the responses, so a client that pipelines without reading could fill the memory.
 */
export class Pipelining {
  readonly #connections = new Map<Socket, Connection>();
  #waiting = 0;

  constructor(
    server: Server,
    private readonly start: (request: IncomingMessage, response: CountedResponse) => void,
    private readonly maxPipelined = MAX_PIPELINED,
  ) {
    server.on('connection', (socket: Socket) => {
      this.#connections.set(socket, { waiting: [], isPauseDue: false, hasHadRequest: false });
      abortWithoutStackTraces(socket);
      socket.once('close', () => {
        this.#waiting -= this.#connections.get(socket)?.waiting.length ?? 0;
        this.#connections.delete(socket);
      });
    });
  }

  /** Open connections. */
  get sockets(): IterableIterator<Socket> {
    return this.#connections.keys();
  }

  /** Starts a request, or queues it behind the response before it. */
  add(request: IncomingMessage, response: CountedResponse): void {
    // Node assigns the socket to a response once the response before it was sent.
    if (response.socket === null) {
      this.#wait(request.socket, response);
      return;
    }
    const connection = this.#connections.get(request.socket);
    if (connection !== undefined) {
      response.followsAnswer = connection.hasHadRequest;
      connection.hasHadRequest = true;
    }
    this.start(request, response);
  }

  /** Returns the response that will be sent last on a connection; null if none is due. */
  lastResponse(socket: Socket): CountedResponse | null {
    return this.#connections.get(socket)?.waiting.at(-1) ?? currentResponse(socket);
  }

  #wait(socket: Socket, response: CountedResponse): void {
    const connection = this.#connections.get(socket);
    // Node still parses bytes that it read before the connection closed.
    if (connection === undefined || socket.destroyed) return;
    if (this.#waiting >= this.maxPipelined) {
      socket.destroy();
      return;
    }
    this.#waiting += 1;
    connection.waiting.push(response);
    response.once('socket', () => this.#startNext(socket, connection, response));
    if (connection.isPauseDue) return;
    connection.isPauseDue = true;
    // Pause after all received bytes are parsed: Node resumes the socket at the end of each request.
    process.nextTick(() => {
      connection.isPauseDue = false;
      if (connection.waiting.length > MAX_READ_AHEAD) socket.pause();
    });
  }

  #startNext(socket: Socket, connection: Connection, response: CountedResponse): void {
    // Node also assigns the socket when the connection was closed.
    if (socket.destroyed) return;
    connection.waiting.shift();
    this.#waiting -= 1;
    if (connection.waiting.length <= MAX_READ_AHEAD) socket.resume();
    // Starting it at once would answer all that wait before any other connection is read.
    setImmediate(() => {
      if (!socket.destroyed) this.start(response.req, response);
    });
  }
}
