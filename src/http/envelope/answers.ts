import { Inject, Injectable } from '@nestjs/common';
import { serviceUnavailable, type ApiError } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../lean-express.adapter.js';
import { giveBack } from './spent-memory.js';
import { NO_COST, RECEIPTS, type Cost, type Receipts } from '../../receipts/receipts.js';
import { envelope, type Body, type Success } from './envelope.js';
import { matchesEtag, WeakEtags } from './etag.js';

/**
 * Up to this length a body goes out in one write with its headers: Node joins the two only when the body is text, and
 * Latin-1 text is the same bytes. Longer ones are cheaper to send beside the headers than to copy.
 */
const ONE_WRITE_BYTES = 8192;

/** Makes the envelope, has it recorded, sends it: the one way out for every request that needs a key. */
@Injectable()
export class Answers {
  constructor(
    @Inject(RECEIPTS) private readonly receipts: Receipts,
    private readonly etags: WeakEtags,
  ) {}

  /** Sends the answer once it is recorded; nobody need wait for that. Little but the body stays in memory until then. */
  success(request: ApiRequest, response: ApiResponse, answer: Success): void {
    const { body, data } = envelope(answer);
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
    body: Body | null,
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

function errorBody(request: ApiRequest, error: ApiError): Body {
  const { status, message } = error;
  const text = JSON.stringify({ error: { status, message }, meta: { request_id: request.context.requestId } });
  const own = Buffer.from(text);
  return { pieces: [own], own };
}

function headerList(error: ApiError): string[] {
  return Object.entries(error.headers).flatMap(([name, value]) => [name, String(value)]);
}

function send(
  request: ApiRequest,
  response: ApiResponse,
  status: number,
  body: Body | null,
  extra: readonly string[],
  cost: Cost,
): void {
  if (response.headersSent || response.destroyed) return;
  const { context } = request;
  const length = body === null ? 0 : body.pieces.reduce((sum, piece) => sum + piece.length, 0);
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
      String(length),
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
  else if (length > ONE_WRITE_BYTES) sendPieces(response, body);
  else sendAtOnce(response, body);
}

/** Node hands over to the system in one call what is written in one turn. */
function sendPieces(response: ApiResponse, { pieces, own }: Body): void {
  for (const piece of pieces) response.write(piece);
  // Then the system has all of it, however slowly the caller reads, or the connection is closed and nothing reads it.
  response.once('finish', () => giveBack(own));
  response.end();
}

/** As `end` does, but for its second, empty write: the two would go the way of several pieces, a tenth of a look-up. */
function sendAtOnce(response: ApiResponse, { pieces }: Body): void {
  response.write(pieces.map((piece) => piece.toString('latin1')).join(''), 'latin1');
  response.socket?.uncork();
  response.end();
}
