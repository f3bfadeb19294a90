import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Admission, type AdmissionLimits } from './admission.js';
import type { ApiRequest, ApiResponse } from './api-request.js';

/** What callers may cost the process: those that read slowly, or not at all, and all together. */
export interface ConnectionLimits extends AdmissionLimits {
  /** A connection that takes nothing of its answer for this long is closed. */
  readonly stalledMs: number;
  /** Above this many bytes of answers, those that took nothing for `pressedMs` are closed, the longest first. */
  readonly manyBytes: number;
  readonly pressedMs: number;
  /** Above this many bytes no request is begun. */
  readonly tooManyBytes: number;
  /** Pipelined requests that wait for their turn; a connection that sends one more is closed. */
  readonly waitingRequests: number;
  readonly lookMs: number;
}

export const LIMITS: ConnectionLimits = {
  stalledMs: 30_000,
  manyBytes: 32 * 1024 * 1024,
  pressedMs: 2000,
  tooManyBytes: 64 * 1024 * 1024,
  underWay: 1024,
  patienceMs: 1000,
  overloadedMs: 100,
  leastUnderWay: 512,
  waitingRequests: 8192,
  lookMs: 1000,
};

/** How often requests that were held back are looked at again. */
const HELD_MS = 50;

/** Whoever watches the service is answered in an overload, too. */
const HEALTH = '/health';

interface Held {
  readonly response: ApiResponse;
  readonly since: number;
}

interface Connection {
  /** What the system had taken when it was last looked at, and since when it has been no more. */
  taken: number;
  since: number;
  /** Responses whose request came before the one before was answered. */
  readonly waiting: ApiResponse[];
  isPauseDue: boolean;
}

/** Begins a request only when the answer before it on the same connection was taken. Node begins all that it has parsed
 * and keeps their answers: a caller that pipelines and does not read would fill the memory. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Responses begun and not answered yet. */
  #underWay = 0;
  readonly #held: Held[] = [];
  readonly #admission: Admission;
  #waitingRequests = 0;
  #waitingBytes = 0;
  #isDraining = false;

  constructor(
    private readonly server: Server,
    private readonly handle: (request: ApiRequest, response: ApiResponse) => void,
    /** Answers a request that would wait for too long. */
    private readonly turnAway: (request: ApiRequest, response: ApiResponse) => void,
    private readonly limits = LIMITS,
  ) {
    this.#admission = new Admission(limits);
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.once('listening', () => {
      const timer = setInterval(() => {
        this.#closeStalled();
        this.#admission.look();
      }, limits.lookMs).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  /** Takes a request that was parsed: begins it, or has it wait for its turn. */
  take(request: ApiRequest, response: ApiResponse): void {
    if (this.#isDraining) {
      const before = this.lastOf(request.socket);
      // Sent behind one that is not answered yet: that one is not the last any more.
      if (before !== null && !before.headersSent) before.shouldKeepAlive = true;
      response.shouldKeepAlive = false;
    }
    // Node gives a response its socket when the one before it is done.
    if (response.socket === null) this.#wait(request.socket, response);
    else this.#begin(request, response);
  }

  /** An answer is there, or will not come: another request may be begun. */
  leave(response: ApiResponse): void {
    if (response.isUnderWay) {
      response.isUnderWay = false;
      this.#admission.answered(this.#underWay);
      this.#underWay -= 1;
    }
    if (this.#held.length > 0) this.#beginHeld();
  }

  /** Counts an answer until it was taken, or its connection is gone. */
  sending(response: ServerResponse, bytes: number): void {
    this.#waitingBytes += bytes;
    response.once('close', () => (this.#waitingBytes -= bytes));
  }

  /** Has the last answer on each connection say that it is the last: those under way, and those to come. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#open.keys()) {
      const last = this.lastOf(socket);
      if (last !== null) last.shouldKeepAlive = false;
    }
  }

  /** Closes connections without a request, unless an answer is not taken yet: Node holds it for done with. */
  closeIdle(): void {
    for (const socket of this.#open.keys()) if (socket.writableLength > 0) return;
    this.server.closeIdleConnections();
  }

  /** The response that is the last to be sent on a connection; null if none is under way. */
  lastOf(socket: Socket): ApiResponse | null {
    return this.#open.get(socket)?.waiting.at(-1) ?? currentOf(socket);
  }

  #add(socket: Socket): void {
    this.#open.set(socket, { taken: -1, since: performance.now(), waiting: [], isPauseDue: false });
    socket.once('close', () => {
      const current = currentOf(socket);
      if (current !== null) this.leave(current);
      this.#waitingRequests -= this.#open.get(socket)?.waiting.length ?? 0;
      this.#open.delete(socket);
    });
  }

  #wait(socket: Socket, response: ApiResponse): void {
    const connection = this.#open.get(socket);
    // Node goes on parsing what it has read of a connection that was closed.
    if (connection === undefined || socket.destroyed) return;
    if (this.#waitingRequests >= this.limits.waitingRequests) {
      socket.destroy();
      return;
    }
    this.#waitingRequests += 1;
    connection.waiting.push(response);
    response.once('socket', () => this.#takeTurn(socket, connection, response));
    if (connection.isPauseDue) return;
    connection.isPauseDue = true;
    // Not before all that was read is parsed: at the end of each request Node starts reading again.
    process.nextTick(() => {
      connection.isPauseDue = false;
      if (connection.waiting.length > 0) socket.pause();
    });
  }

  #takeTurn(socket: Socket, connection: Connection, response: ApiResponse): void {
    // The last answer counts as sent, too, when its connection was cut.
    if (socket.destroyed) return;
    connection.waiting.shift();
    this.#waitingRequests -= 1;
    if (connection.waiting.length === 0) socket.resume();
    this.#begin(response.req, response);
  }

  #begin(request: ApiRequest, response: ApiResponse): void {
    if (this.#hasRoom() || request.url.startsWith(HEALTH)) {
      this.#handle(request, response);
      return;
    }
    if (this.#held.push({ response, since: performance.now() }) === 1) this.#lookAgain();
  }

  #handle(request: ApiRequest, response: ApiResponse): void {
    response.isUnderWay = true;
    this.#underWay += 1;
    this.handle(request, response);
  }

  #hasRoom(): boolean {
    return this.#admission.admits(this.#underWay) && this.#waitingBytes <= this.limits.tooManyBytes;
  }

  #beginHeld(): void {
    while (this.#held.length > 0 && this.#hasRoom()) {
      const response = this.#held.shift()?.response;
      if (response?.socket?.destroyed !== false) continue;
      this.#handle(response.req, response);
    }
  }

  #turnAwayHeld(): void {
    const since = performance.now() - this.#admission.patienceMs;
    const firstToStay = this.#held.findIndex((held) => held.since > since);
    for (const { response } of this.#held.splice(0, firstToStay < 0 ? this.#held.length : firstToStay))
      if (response.socket?.destroyed === false) this.turnAway(response.req, response);
  }

  /** Bytes are taken without a word. */
  #lookAgain(): void {
    setTimeout(() => {
      this.#beginHeld();
      this.#turnAwayHeld();
      if (this.#held.length > 0) this.#lookAgain();
    }, HELD_MS);
  }

  #closeStalled(): void {
    const now = performance.now();
    const pressed: [Socket, Connection][] = [];
    let bytes = 0;
    for (const [socket, connection] of this.#open) {
      bytes += socket.writableLength;
      const taken = takenBy(socket);
      if (socket.writableLength === 0 || taken !== connection.taken) {
        connection.taken = taken;
        connection.since = now;
      } else if (now - connection.since >= this.limits.stalledMs) {
        bytes -= socket.writableLength;
        socket.destroy();
      } else if (now - connection.since >= this.limits.pressedMs) {
        pressed.push([socket, connection]);
      }
    }
    if (bytes <= this.limits.manyBytes) return;
    for (const [socket] of pressed.toSorted(([, a], [, b]) => a.since - b.since)) {
      if (bytes <= this.limits.manyBytes) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }
}

/** Bytes that the system took from a socket; the socket itself counts a write only when all of it was taken. */
function takenBy(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as { readonly writeQueueSize?: number } | null;
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

/** Node's own name for the response whose turn it is. */
const currentOf = (socket: Socket): ApiResponse | null =>
  (Reflect.get(socket, '_httpMessage') as ApiResponse | null | undefined) ?? null;
