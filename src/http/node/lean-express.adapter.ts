import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { ApiError } from '../api-error.js';
import { ApiRequest, ApiResponse } from '../api-request.js';
import { Reply } from '../envelope/reply.js';
import { rejectOddRequest } from '../rejection.js';
import type { RequestContext } from '../request-context.js';
import { Traffic } from '../traffic/traffic.js';
import { detachBuffer } from './detach-buffer.js';
import { abandonUpload } from './linger-close.js';
import { answerConnect, answerMalformedRequests } from './malformed-request.js';

/** Up to this length a body is joined with its headers into one write: Node does so only for text, here Latin-1. */
const ONE_WRITE_BYTES = 8192;

const SERVER_OPTIONS = {
  // Longer than the idle timeouts of common clients and load balancers, so that they close first.
  keepAliveTimeout: 65_000,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  // Rejected by `rejectOddRequest`: Node's own answer has no envelope.
  requireHostHeader: false,
};

/** Express on requests and responses that are created with its prototypes. Express sets them on every request and
 * response; V8 then treats both as slow objects, which costs about 100 µs a request. */
export class LeanExpressAdapter extends ExpressAdapter {
  // Not initialized here: the constructor of the class above may call `initHttpServer`.
  declare traffic: Traffic;
  /** Makes the context of a request that is about to be handled. Set with the application's own parts. */
  declare createContext: () => RequestContext;
  /** Answers a request for which there was no place. Set with the application's own parts. */
  declare reject: (request: ApiRequest, response: ApiResponse, reason: ApiError) => void;

  /** Writes a `Reply` as it is; whatever else a handler returns goes Express's way. */
  override reply(response: ApiResponse, reply: unknown, status?: number): void {
    if (!(reply instanceof Reply)) {
      super.reply(response, reply, status);
      return;
    }
    this.traffic.inFlight.end(response);
    if (response.headersSent || response.destroyed || response.socket?.writable !== true) return;
    if (!response.req.complete) abandonUpload(response);
    response.writeHead(reply.status, reply.headers);
    // Node leaves the body out of the answer to HEAD, and keeps its length.
    if (reply.body === null) {
      response.end();
      return;
    }
    if (reply.body.length > ONE_WRITE_BYTES) {
      const { body } = reply;
      this.traffic.readers.sending(response, body.length, response.req.context.readerKeyId);
      response.once('close', () => {
        // A compressor may still be reading it when the connection is cut.
        if (response.writableFinished || !response.hasHeader('content-encoding')) detachBuffer(body);
      });
      response.end(body);
      return;
    }
    // `end(body)` would add an empty write, and Node sends two writes by the slower `writev`.
    response.write(reply.body.toString('latin1'), 'latin1');
    response.socket?.uncork();
    response.end();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const app = this.getInstance<Express>();
    // Classes for this application alone: their prototypes carry its `app`.
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
        rejectOddRequest(request, response);
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
    // No limit but that of their bytes: Node would ignore the headers behind the limit.
    server.maxHeadersCount = 0;
    // A client may end its side and still read. Node has no option for it.
    Object.assign(server, { httpAllowHalfOpen: true });
    const receive = (request: ApiRequest, response: ApiResponse) => traffic.receive(request, response);
    // The body reader sends `100 Continue`.
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive);
    answerMalformedRequests(server, traffic.pipelining);
    answerConnect(server, traffic, (request) => new Response(request));
    this.traffic = traffic;
    this.setHttpServer(server);
  }
}

/** Copies what Express put between its own prototype and Node's onto a class. */
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
