import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CountedResponse } from './counted-response.js';
import { currentResponse } from '../node/sockets.js';

/** Pipelined requests waiting behind an earlier response, over all connections. */
export const MAX_PIPELINED = 8192;

interface Connection {
  /** Responses to requests that wait for an earlier one. */
  readonly waiting: CountedResponse[];
  isPauseDue: boolean;
}

/**
 * Starts a request when the response before it on its connection was sent. Node starts every request as soon as it is
 * parsed and keeps the responses in memory, so a client that pipelines without reading could fill it.
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
      this.#connections.set(socket, { waiting: [], isPauseDue: false });
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

  /** Starts a parsed request, or has it wait for the response before it. */
  add(request: IncomingMessage, response: CountedResponse): void {
    // Node assigns the socket to a response when the one before it has been sent.
    if (response.socket === null) this.#wait(request.socket, response);
    else this.start(request, response);
  }

  /** The response that will be sent last on a connection; null if none is due. */
  lastResponse(socket: Socket): CountedResponse | null {
    return this.#connections.get(socket)?.waiting.at(-1) ?? currentResponse(socket);
  }

  #wait(socket: Socket, response: CountedResponse): void {
    const connection = this.#connections.get(socket);
    // Node goes on parsing bytes that it has read from a connection that is closed now.
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
    // Not before all bytes that were read are parsed: Node resumes reading at the end of each request.
    process.nextTick(() => {
      connection.isPauseDue = false;
      if (connection.waiting.length > 0) socket.pause();
    });
  }

  #startNext(socket: Socket, connection: Connection, response: CountedResponse): void {
    // A response also counts as sent when its connection was cut.
    if (socket.destroyed) return;
    connection.waiting.shift();
    this.#waiting -= 1;
    if (connection.waiting.length === 0) socket.resume();
    this.start(response.req, response);
  }
}
