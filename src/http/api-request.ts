import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ExecutionContext } from '@nestjs/common';
import type { ApiError } from './errors/api-error.js';
import type { Caller, RequestContext } from './request-context.js';
import { CountedResponse } from './traffic/counted-response.js';
import type { Traffic } from './traffic/traffic.js';

/** Node's request with Express's members and the request's context. */
export class ApiRequest extends IncomingMessage {
  declare context: RequestContext;
  /** Set on a request that no handler may answer: `RequestShapeGuard` throws it after the key and the minute limit are
   * checked. Also set later, when the rest of the request turns out to be malformed. */
  declare rejection: ApiError | undefined;
  /** Always set on requests that a server receives. */
  declare url: string;
  declare ip: string | undefined;
  declare query: Record<string, unknown>;
  declare params: Record<string, string>;
  declare body: unknown;
  declare path: string;
  declare originalUrl: string;
  declare is: (type: string) => string | false | null;
}

/** Node's response with Express's members. */
export class ApiResponse extends CountedResponse<ApiRequest> {
  /** Traffic control of the server; `initHttpServer` sets it. */
  declare traffic: Traffic;

  /** Also ends the request in flight: a client that reads its response slowly, or not at all, must not keep a slot. Node
   * calls this for every response, also for one that is streamed. */
  override writeHead(...args: unknown[]): this {
    super.writeHead(...(args as Parameters<ServerResponse['writeHead']>));
    this.traffic.inFlight.end(this);
    return this;
  }

  /** Also ends a request in flight whose response was never ended. Node calls `detachSocket` after every response. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.traffic.inFlight.end(this);
  }
}

export function contextOf(execution: ExecutionContext): RequestContext {
  return execution.switchToHttp().getRequest<ApiRequest>().context;
}

/** @throws Error if the handler is not behind the key guard */
export function callerOf(execution: ExecutionContext): Caller {
  const { caller } = contextOf(execution);
  if (caller === null) throw new Error('this endpoint has no key guard before it');
  return caller;
}
