import { Inject, Injectable } from '@nestjs/common';
import { serviceUnavailable, type ApiError } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../lean-express.adapter.js';
import { NO_COST, RECEIPTS, type Cost, type Receipts } from '../../receipts/receipts.js';
import { envelope, type Success } from './envelope.js';
import { matchesEtag, WeakEtags } from './etag.js';

/** Makes the envelope, has it recorded, sends it: the one way out for every request that needs a key. */
@Injectable()
export class Answers {
  constructor(
    @Inject(RECEIPTS) private readonly receipts: Receipts,
    private readonly etags: WeakEtags,
  ) {}

  /** Sends the answer once it is recorded; nobody need wait for that. Little but the body stays in memory until then. */
  success(request: ApiRequest, response: ApiResponse, answer: Success): void {
    const { data, meta } = envelope(answer);
    const body = data + meta;
    let etag: string | null = null;
    if (request.method === 'GET' || request.method === 'HEAD') {
      etag = this.etags.tagOf(data, aboutData(answer.meta));
      if (matchesEtag(request.headers['if-none-match'], etag)) {
        this.#deliver(request, response, 304, null, ['ETag', etag], NO_COST, 0);
        return;
      }
    }
    const cost = this.receipts.costOf(request.context, 200, answer.itemsReturned);
    this.#deliver(request, response, 200, body, etag === null ? [] : ['ETag', etag], cost, answer.itemsReturned);
  }

  failure(request: ApiRequest, response: ApiResponse, error: ApiError): void {
    const cost = this.receipts.costOf(request.context, error.status, 0);
    this.#deliver(request, response, error.status, errorBody(request, error), headerList(error), cost, 0);
  }

  #deliver(
    request: ApiRequest,
    response: ApiResponse,
    status: number,
    body: string | null,
    headers: readonly string[],
    cost: Cost,
    itemsReturned: number,
  ): void {
    this.receipts.record(request.context, status, cost, itemsReturned, (durable) => {
      try {
        if (durable) {
          send(request, response, status, body, headers, cost);
        } else {
          const error = serviceUnavailable();
          send(request, response, error.status, errorBody(request, error), headerList(error), NO_COST);
        }
      } catch (error) {
        // Nobody else would end it, and its client would wait.
        response.destroy();
        throw error;
      }
    });
  }
}

/** What `meta` says of the data, such as the game of a list; the rest is of the request. */
function aboutData(meta: Success['meta']): Readonly<Record<string, unknown>> {
  const { received_at: _time, request_id: _id, ...data } = meta;
  return data;
}

function errorBody(request: ApiRequest, error: ApiError): string {
  const { status, message } = error;
  return JSON.stringify({ error: { status, message }, meta: { request_id: request.context.requestId } });
}

function headerList(error: ApiError): string[] {
  return Object.entries(error.headers).flatMap(([name, value]) => [name, String(value)]);
}

function send(
  request: ApiRequest,
  response: ApiResponse,
  status: number,
  body: string | null,
  extra: readonly string[],
  cost: Cost,
): void {
  if (response.headersSent || response.destroyed) return;
  const { context } = request;
  const headers = [
    'X-Request-Id',
    context.requestId,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Accept-Encoding, x-api-key',
  ];
  if (body !== null) {
    headers.push(
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(body)),
      'X-Content-Type-Options',
      'nosniff',
    );
  }
  if (context.minute !== null) {
    headers.push(
      'X-RateLimit-minute-limit',
      String(context.minute.limit),
      'X-RateLimit-minute-remaining',
      String(context.minute.remaining),
      'X-RateLimit-minute-reset',
      String(context.minute.resetSeconds),
    );
  }
  if (context.caller !== null)
    headers.push('X-Quota-Units', String(cost.quotaUnits), 'X-Credits', String(cost.credits));
  headers.push(...extra);
  response.writeHead(status, headers);
  // Node leaves the body out of the answer to HEAD, and keeps its length.
  if (body === null) response.end();
  else response.end(body);
}
