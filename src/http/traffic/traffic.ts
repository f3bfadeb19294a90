import type { IncomingMessage, Server } from 'node:http';
import type { ApiError } from '../errors/api-error.js';
import type { CountedResponse } from './counted-response.js';
import { currentResponse } from '../node/sockets.js';
import { InFlight, IN_FLIGHT_LIMITS } from './in-flight.js';
import { MAX_PIPELINED, Pipelining } from './pipelining.js';
import { ReadTurns } from './read-turns.js';
import { UNSENT_LIMITS, UnsentBytes } from './unsent-bytes.js';
import { UPLOAD_LIMITS, UPLOAD_SAMPLE_MS, Uploads, type Uploader } from './uploads.js';

const SAMPLE_MS = 1000;

export const TRAFFIC_LIMITS = {
  inFlight: IN_FLIGHT_LIMITS,
  readers: UNSENT_LIMITS,
  uploads: UPLOAD_LIMITS,
  maxPipelined: MAX_PIPELINED,
  sampleMs: SAMPLE_MS,
};

export type TrafficLimits = typeof TRAFFIC_LIMITS;

/** Health checks bypass the limit of requests in flight. */
const HEALTH_PATHS: ReadonlySet<string> = new Set(['/health', '/health/live']);

interface Handlers {
  readonly handle: (request: IncomingMessage, response: CountedResponse) => void;
  /** Answers a request that found no slot in time. */
  readonly reject: (request: IncomingMessage, response: CountedResponse, reason: ApiError) => void;
}

/** Controls the requests between sockets and application: pipelining, requests in flight, uploads and slow readers. */
export class Traffic {
  readonly inFlight: InFlight;
  readonly unsent: UnsentBytes;
  readonly pipelining: Pipelining;
  readonly reads = new ReadTurns();
  #uploads: Uploads;
  #isDraining = false;

  constructor(
    private readonly server: Server,
    private readonly handlers: Handlers,
    limits: TrafficLimits = TRAFFIC_LIMITS,
  ) {
    this.unsent = new UnsentBytes(limits.readers);
    this.inFlight = new InFlight(limits.inFlight);
    this.#uploads = new Uploads(limits.uploads);
    this.pipelining = new Pipelining(
      server,
      (request, response) => this.#begin(request, response),
      limits.maxPipelined,
    );
    server.on('connection', (socket) =>
      socket.once('close', () => {
        const response = currentResponse(socket);
        if (response !== null) this.inFlight.end(response);
      }),
    );
    this.#sampleWhileListening(limits.sampleMs);
  }

  get uploads(): Uploads {
    return this.#uploads;
  }

  /** @param timeoutMs maximum time for a request body to arrive */
  limitUploads(timeoutMs: number): void {
    this.#uploads = new Uploads({ ...UPLOAD_LIMITS, timeoutMs });
  }

  /** Accepts a request whose headers were parsed. */
  receive(request: IncomingMessage, response: CountedResponse): void {
    if (this.#isDraining) {
      const before = this.pipelining.lastResponse(request.socket);
      // `drain` may have announced the response before as the last; now this one is.
      if (before !== null && !before.headersSent) before.shouldKeepAlive = true;
      response.shouldKeepAlive = false;
    }
    this.pipelining.add(request, response);
  }

  /** Waits for a request's body without holding a slot. @throws ApiError 408, 429, 499 or 503 */
  async upload(response: CountedResponse, sender: Uploader, read: () => Promise<void>): Promise<void> {
    this.inFlight.pause(response);
    await this.#uploads.receive(response.req.socket, sender, read);
    await this.inFlight.resume(response);
  }

  /** Sends `Connection: close` with the last response on each connection. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of this.pipelining.sockets) {
      const last = this.pipelining.lastResponse(socket);
      if (last !== null) last.shouldKeepAlive = false;
    }
  }

  /** Closes idle connections, but none while any response is unsent: Node counts its connection as idle. */
  closeIdle(): void {
    for (const socket of this.pipelining.sockets) if (socket.writableLength > 0) return;
    this.server.closeIdleConnections();
  }

  #begin(request: IncomingMessage, response: CountedResponse): void {
    const { handle, reject } = this.handlers;
    if (!this.inFlight.hasRoom && isHealthCheck(request)) {
      this.inFlight.markInFlight(response);
      handle(request, response);
      return;
    }
    this.inFlight.begin(
      response,
      () => handle(request, response),
      (reason) => reject(request, response, reason),
    );
  }

  #sampleWhileListening(sampleMs: number): void {
    this.server.once('listening', () => {
      const timers = [
        setInterval(() => {
          this.unsent.closeSlow(this.pipelining.sockets);
          this.inFlight.sample();
        }, sampleMs).unref(),
        setInterval(() => this.#uploads.sample(), UPLOAD_SAMPLE_MS).unref(),
      ];
      this.server.once('close', () => timers.forEach(clearInterval));
    });
  }
}

const isHealthCheck = ({ url = '' }: IncomingMessage): boolean => HEALTH_PATHS.has(url.split('?', 1)[0] ?? '');
