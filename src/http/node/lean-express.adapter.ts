import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { detachMemory } from '../../model/detach-memory.js';
import type { ApiError } from '../errors/api-error.js';
import { ApiRequest, ApiResponse } from '../api-request.js';
import type { OriginHeaders } from '../cross-origin.js';
import { Reply } from '../envelope/reply.js';
import { markRejection } from '../rejection.js';
import type { RequestContext } from '../request-context.js';
import { Traffic } from '../traffic/traffic.js';
import { abandonUpload } from './linger-close.js';
import { answerConnect, answerMalformedRequests } from './malformed-request.js';

/** Bodies up to this length are sent with their headers in one write. Node does that only for strings, so they are Latin-1. */
const ONE_WRITE_BYTES = 8192;

const SERVER_OPTIONS = {
  // Longer than the idle timeouts of common clients and load balancers, so that these close first.
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  // `markRejection` does it instead: Node's own response has no envelope.
  requireHostHeader: false,
};

/** Express adapter whose requests and responses are created with Express's prototypes. Express would set them on each
 * one; V8 then treats both as slow objects, which costs about 100 µs per request. */
export class LeanExpressAdapter extends ExpressAdapter {
  // `declare`, because the super constructor may call `initHttpServer` and an initializer would overwrite its value.
  declare traffic: Traffic;
  /** Creates the context of a request. Set by `configure`. */
  declare createContext: () => RequestContext;
  /** Lists the CORS headers of answers that pass no middleware. Set by `configure`. */
  declare originHeaders: OriginHeaders;
  /** Answers a request that was rejected for overload. Set by `configure`. */
  declare reject: (request: ApiRequest, response: ApiResponse, reason: ApiError) => void;

  /** Writes a `Reply` directly, and anything else through Express. */
  override reply(response: ApiResponse, reply: unknown, status?: number): void {
    if (!(reply instanceof Reply)) {
      super.reply(response, reply, status);
      return;
    }
    this.traffic.inFlight.end(response);
    response.req.context.leaveTurn(reply.body?.length);
    if (response.headersSent || response.destroyed || response.socket?.writable !== true) return;
    if (!response.req.complete) abandonUpload(response);
    response.writeHead(reply.status, keepVary(response, reply.headers));
    // Node omits the body of a HEAD response but keeps its `Content-Length`.
    if (reply.body === null) {
      response.end();
      return;
    }
    if (reply.body.length > ONE_WRITE_BYTES) {
      const { body } = reply;
      this.traffic.unsent.track(response, body.length, response.req.context.unsentKeyId);
      response.once('close', () => {
        // A compressor may still read the body after the connection was closed.
        if (!response.writableFinished && response.hasHeader('content-encoding')) return;
        // Small buffers share Node's pool, which must stay attached.
        if (body.byteLength === body.buffer.byteLength) detachMemory(body.buffer);
      });
      response.end(body);
      return;
    }
    // `end(body)` would add an empty write, and Node sends two writes with the slower `writev`.
    response.write(reply.body.toString('latin1'), 'latin1');
    response.socket?.uncork();
    response.end();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const app = this.getInstance<Express>();
    // Each application needs its own classes: their prototypes hold its `app`.
    const Request = adoptPrototype(class extends ApiRequest {}, app.request, IncomingMessage.prototype);
    const Response = adoptPrototype(class extends ApiResponse {}, app.response, ServerResponse.prototype);
    const server = createServer({
      ...SERVER_OPTIONS,
      IncomingMessage: Request,
      ServerResponse: Response as unknown as typeof ServerResponse,
    });
    const traffic = new Traffic(server, {
      handle: (message, response) => {
        const request = message as ApiRequest;
        request.context = this.createContext();
        markRejection(request, response);
        app(request, response as ApiResponse);
      },
      reject: (message, response, reason) => {
        const request = message as ApiRequest;
        request.context = this.createContext();
        this.reject(request, response as ApiResponse, reason);
      },
    });
    Response.prototype.traffic = traffic;
    app.request = Request.prototype as unknown as Express['request'];
    app.response = Response.prototype as unknown as Express['response'];
    // Headers are limited by their bytes only: Node would ignore those beyond a limit of their number.
    server.maxHeadersCount = 0;
    // Allow half-open sockets: a client may end its side and still read. Node has no public option for it.
    Object.assign(server, { httpAllowHalfOpen: true });
    const receive = (request: ApiRequest, response: ApiResponse) => traffic.receive(request, response);
    // Not answered here: `readJsonBody` sends `100 Continue`.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive);
    answerMalformedRequests(server, traffic.pipelining, (origin) => this.originHeaders(origin));
    answerConnect(server, traffic, (request) => new Response(request));
    this.traffic = traffic;
    this.setHttpServer(server);
  }
}

/** Appends a middleware's `Vary` to the reply's, because `writeHead` would overwrite it. */
function keepVary(response: ApiResponse, headers: string[]): string[] {
  const earlier = response.getHeader('vary');
  const at = earlier === undefined ? -1 : headers.indexOf('Vary') + 1;
  if (at > 0) headers[at] = `${headers[at]}, ${String(earlier)}`;
  return headers;
}

/** Copies Express's members, from `source` up to Node's prototype `until`, onto the prototype of a class. */
function adoptPrototype<C extends { prototype: object }>(target: C, source: object, until: object): C {
  for (
    let layer: object | null = source;
    layer !== null && layer !== until;
    layer = Object.getPrototypeOf(layer) as object | null
  ) {
    for (const name of Reflect.ownKeys(layer)) {
      const descriptor = Object.getOwnPropertyDescriptor(layer, name);
      if (descriptor !== undefined && name !== 'constructor' && !Object.hasOwn(target.prototype, name)) {
        Object.defineProperty(target.prototype, name, descriptor);
      }
    }
  }
  return target;
}
