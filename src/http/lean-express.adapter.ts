import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { expectationFailed } from './api-error.js';
import { ApiRequest, ApiResponse } from './api-request.js';
import { Connections } from './connections.js';
import { detachBuffer } from './detach-buffer.js';
import { Reply } from './envelope/reply.js';
import { answerConnect, answerMalformedRequests } from './malformed-request.js';
import { refuse, refuseOddFraming, refuseOddTarget } from './refusal.js';
import { stopUpload } from './upload.js';

/** Up to this length a body is joined with its headers into one write: Node does so only for text, here Latin-1. */
const ONE_WRITE_BYTES = 8192;

/** Express on requests and responses that are created with its prototypes. Express sets them on every request and
 * response; V8 then treats both as slow objects, which costs about 100 µs a request. */
export class LeanExpressAdapter extends ExpressAdapter {
  // Not initialized here: the constructor of the class above may call `initHttpServer`.
  declare connections: Connections;
  /** Answers a request that cannot be handled in time: set with the application's own parts. */
  declare turnAway: (request: ApiRequest, response: ApiResponse) => void;

  /** Writes a `Reply` as it is; whatever else a handler returns goes Express's way. */
  override reply(response: ApiResponse, reply: unknown, status?: number): void {
    if (!(reply instanceof Reply)) {
      super.reply(response, reply, status);
      return;
    }
    this.connections.leave(response);
    if (response.headersSent || response.destroyed || response.socket?.writable !== true) return;
    if (!response.req.complete) stopUpload(response);
    response.writeHead(reply.status, reply.headers);
    // Node leaves the body out of the answer to HEAD, and keeps its length.
    if (reply.body === null) {
      response.end();
      return;
    }
    if (reply.body.length > ONE_WRITE_BYTES) {
      const { body } = reply;
      this.connections.sending(response, body.length);
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
    const leave = (response: ApiResponse) => this.connections.leave(response);
    class OwnResponse extends ApiResponse {
      // Called behind every answer, those of Express's own middleware, too.
      override detachSocket(socket: Socket): void {
        super.detachSocket(socket);
        leave(this);
      }
    }
    const Response = adoptPrototype(OwnResponse, app.response, ServerResponse.prototype);
    app.request = Request.prototype as unknown as Express['request'];
    app.response = Response.prototype as unknown as Express['response'];
    const server = createServer({
      IncomingMessage: Request,
      ServerResponse: Response as unknown as typeof ServerResponse,
      // Longer than the idle timeout of common clients and load balancers, so that they close first.
      keepAliveTimeout: 65_000,
      // Answered here, as Node's own answer has no envelope.
      requireHostHeader: false,
    });
    // A client that has sent all it wants may say so, and still reads. Node has no option for it.
    Object.assign(server, { httpAllowHalfOpen: true });
    const connections = new Connections(server, app, (request, response) => this.turnAway(request, response));
    const take = (request: ApiRequest, response: ApiResponse) => {
      refuseOddTarget(request);
      refuseOddFraming(request, response);
      connections.take(request, response);
    };
    server.on('request', take);
    // Whoever wants the body sends `100 Continue`.
    server.on('checkContinue', take);
    server.on('checkExpectation', (request: ApiRequest, response: ApiResponse) => {
      refuse(request, expectationFailed());
      connections.take(request, response);
    });
    answerMalformedRequests(server, connections);
    answerConnect(server, connections, (request) => new Response(request));
    this.connections = connections;
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
