import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ExecutionContext } from '@nestjs/common';
import type { ApiError } from './api-error.js';
import type { Caller, RequestContext } from './request-context.js';
import { CountedResponse } from './traffic/counted-response.js';
import type { Traffic } from './traffic/traffic.js';

/** Node's request with Express's members on its prototype, and the context of the request. */
export class ApiRequest extends IncomingMessage {
  declare context: RequestContext;
  /** Set when the rest of the request turns out malformed: it is answered with this error, if its answer is not yet recorded. */
  declare malformed: ApiError | undefined;
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

/** Node's response with Express's members on its prototype. */
export class ApiResponse extends CountedResponse<ApiRequest> {
  /** The limits of the server that it belongs to, on the prototype. */
  declare traffic: Traffic;

  /** Ends the request with its response, whoever sends it: a client that does not read it must not keep its place. */
  override end(...args: unknown[]): this {
    super.end(...(args as Parameters<ServerResponse['end']>));
    this.traffic.inFlight.end(this);
    return this;
  }

  /** Ends a request whose response was not ended. Node calls it after every response. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.traffic.inFlight.end(this);
  }
}

export function contextOf(execution: ExecutionContext): RequestContext {
  return execution.switchToHttp().getRequest<ApiRequest>().context;
}

/** The holder of the key; behind the key guard there always is one. */
export function callerOf(execution: ExecutionContext): Caller {
  const { caller } = contextOf(execution);
  if (caller === null) throw new Error('this endpoint has no key guard before it');
  return caller;
}
