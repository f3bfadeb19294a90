import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiError, limitExceeded, overloaded } from '../errors/api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { readForcedAnswer, SLOW_ANSWER_MS } from '../forced-answer.js';
import type { EndpointRules } from '../envelope/endpoint-rules.js';
import { isClientPresent, rejectAbandoned } from '../traffic/abandoned-request.js';
import { isExpensive } from '../../receipts/prices.js';
import { isPlatform } from '../../model/platforms.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { readJsonBody } from './json-body.js';
import { rejectRepeatedParameters, rejectUnknownParameters } from './request.pipe.js';

/** Room for about forty tags; clients store a few answers per address. */
const MAX_ETAGS_CHARACTERS = 1024;

const etagsTooLong = () =>
  new ApiError('header_too_long', `If-None-Match must not exceed ${MAX_ETAGS_CHARACTERS} characters`);

/** Maximum parameters of a query. Node's parser ignores further ones. */
const MAX_QUERY_PARTS = 1000;

/** Slow answers of test keys at the same time. Each holds memory, but no slot of the requests in flight. */
const MAX_SLOW_ANSWERS = 256;

/** Records of a request that is checked for its client before it reads them. */
const MANY_RECORDS = 10;

/** Maximum time that a list or batch waits while too much is unsent. */
const MAX_WAIT_FOR_ROOM_MS = 5000;

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/** Third guard: rejects malformed requests, repeated or unexpected parameters and too many ETags, then reads the body. A
 * middleware would read the body before the key and the limit are checked. If an endpoint has parameters, its pipe
 * rejects unknown names. It also reads `X-Test-Answer`. */
@Injectable()
export class RequestShapeGuard implements CanActivate {
  #slowAnswers = 0;

  constructor(private readonly recorder: UsageRecorder) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    const { endpoint, caller } = request.context;
    if (request.rejection !== undefined) throw request.rejection;
    if (endpoint === null || caller === null) return true;
    request.context.forced = readForcedAnswer(request);
    if (endpoint.operation === 'unknown') return true;
    if (response.traffic.unsent.exceedsUnsentLimit(caller.keyId)) throw limitExceeded('too_many_unread_answers', 1);
    if ((request.headers['if-none-match']?.length ?? 0) > MAX_ETAGS_CHARACTERS) throw etagsTooLong();
    if (request.originalUrl.includes('?')) checkQuery(request, endpoint);
    const records = endpoint.takesBody ? 1 : countRecords(request, endpoint);
    const mayBeAbandoned =
      endpoint.takesBody || isCostly(response, endpoint, records) || isSlow(request) || !isClientPresent(response);
    // Returns synchronously for a look-up: awaiting a promise takes a measurable share of it.
    const { hasRoom } = response.traffic.unsent;
    if (!mayBeAbandoned && hasRoom && takeTurn(request, response, endpoint, caller.keyId, records)) return true;
    return this.#prepare(request, response, endpoint, caller.keyId);
  }

  async #prepare(request: ApiRequest, response: ApiResponse, endpoint: EndpointRules, keyId: string): Promise<boolean> {
    const { takesBody } = endpoint;
    // Before the body is read: it would stay in memory meanwhile.
    if (isSlow(request)) await this.#wait(response);
    if (takesBody) {
      // While the body uploads, the group commit must not wait for the record of this request.
      this.recorder.endExpected();
      try {
        await readJsonBody(request, response, keyId);
      } finally {
        this.recorder.beginExpected();
      }
    }
    const records = countRecords(request, endpoint);
    await rejectAbandoned(response, isCostly(response, endpoint, records));
    if (!takeTurn(request, response, endpoint, keyId, records)) {
      await this.#waitForTurn(request, response, endpoint, keyId, records);
    }
    const { unsent } = response.traffic;
    // Again, because many bodies may be uploaded at once, and answers sent while this request waited.
    if (unsent.exceedsUnsentLimit(keyId)) throw limitExceeded('too_many_unread_answers', 1);
    if (!unsent.hasRoom && counterOf(endpoint) !== undefined) {
      await this.#withoutSlot(response, () => unsent.waitForRoom(MAX_WAIT_FOR_ROOM_MS));
    }
    return true;
  }

  /** Waits for the key's turn to read many records. @throws ApiError 503, or 499 if the client left meanwhile */
  async #waitForTurn(
    request: ApiRequest,
    response: ApiResponse,
    endpoint: EndpointRules,
    keyId: string,
    records: number,
  ): Promise<void> {
    const wait = () =>
      this.#withoutSlot(response, async () => {
        request.context.endTurn = await response.traffic.reads.enter(keyId, recordKind(request, endpoint), records);
      });
    await wait();
    if (isClientPresent(response)) return;
    // Finding out whether the client still reads takes longer than a turn.
    request.context.leaveTurn();
    await rejectAbandoned(response, false);
    await wait();
  }

  /** Delays the answer to a test key. @throws ApiError 503 if too many wait */
  async #wait(response: ApiResponse): Promise<void> {
    if (this.#slowAnswers >= MAX_SLOW_ANSWERS) throw overloaded();
    this.#slowAnswers += 1;
    await this.#withoutSlot(response, () => delay(SLOW_ANSWER_MS).finally(() => (this.#slowAnswers -= 1)));
  }

  /** Waits without a slot, so that whoever waits delays nobody. @throws ApiError 503 if no slot is free after it */
  async #withoutSlot(response: ApiResponse, wait: () => Promise<unknown>): Promise<void> {
    const { inFlight } = response.traffic;
    inFlight.pause(response);
    this.recorder.endExpected();
    try {
      await wait();
    } finally {
      this.recorder.beginExpected();
    }
    await inFlight.resume(response);
  }
}

/** Takes the key's turn to read many records, if it is free. @returns false if the key must wait for it */
function takeTurn(
  request: ApiRequest,
  response: ApiResponse,
  endpoint: EndpointRules,
  keyId: string,
  records: number,
): boolean {
  if (counterOf(endpoint) === undefined) return true;
  const { context } = request;
  context.endTurn = response.traffic.reads.tryEnter(keyId, recordKind(request, endpoint), records);
  return context.endTurn !== null;
}

/** Names records that are about as large as each other. */
const recordKind = ({ params }: ApiRequest, { operation }: EndpointRules): string =>
  `${operation} ${String(params.platform)}`;

/** Counts the records that a request asks for, which may be any number: it is not validated yet. */
const countRecords = ({ query, body }: ApiRequest, endpoint: EndpointRules): number =>
  counterOf(endpoint)?.({ query, body }) ?? 1;

const counterOf = ({ readRecords, requestedItems }: EndpointRules): EndpointRules['readRecords'] =>
  readRecords ?? requestedItems;

/** Whether to find out first that the client is there: the answer costs the caller or the service much. A client that has had an answer
 * is taken to be there, because finding out would make a list a twentieth slower. */
const isCostly = ({ followsAnswer }: ApiResponse, { operation }: EndpointRules, records: number): boolean =>
  isExpensive(operation) || (records >= MANY_RECORDS && !followsAnswer);

const isSlow = ({ context }: ApiRequest): boolean => context.forced?.name === 'slow';

function checkQuery({ originalUrl, query, context }: ApiRequest, { takesQuery }: EndpointRules): void {
  if (originalUrl.length > MAX_QUERY_PARTS && originalUrl.split('&').length > MAX_QUERY_PARTS) {
    throw new ApiError('too_many_parameters', `Query must not have more than ${MAX_QUERY_PARTS} parameters`);
  }
  if (!takesQuery) rejectUnknownParameters(query, NO_PARAMETERS);
  rejectRepeatedParameters(query);
  // Set before the pipe runs, so that the usage record of a rejected request has its platform, too.
  if (typeof query.platform === 'string' && isPlatform(query.platform)) context.platform = query.platform;
}
