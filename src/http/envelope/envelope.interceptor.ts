import { Injectable } from '@nestjs/common';
import { AwaitedInterceptor } from '../awaited-interceptors.js';
import { TimeSlices } from '../traffic/time-slices.js';
import type { ApiRequest } from '../api-request.js';
import { formatNextLink } from '../paging/next-link.js';
import type { Cost } from '../../receipts/prices.js';
import type { Answer } from './answer.js';
import { createEnvelope } from './envelope.js';
import { hideMembers } from './hide-members.js';
import { isWildcard, matchesEtag, WeakEtags } from './etag.js';
import { omitRequestMembers, createMeta } from './meta.js';
import { Settlement } from './settlement.js';
import { createUnpricedReply, Reply, type Outcome, type ShorterOutcome } from './reply.js';

/** Bytes of documents above which an answer is prepared in time slices. */
const LARGE_ANSWER_BYTES = 512 * 1024;

/** Turns the answer of a handler into a reply with envelope and ETag, or a 304, and settles the request. */
@Injectable()
export class EnvelopeInterceptor extends AwaitedInterceptor {
  readonly #slices = new TimeSlices();

  constructor(
    private readonly settlement: Settlement,
    private readonly etags: WeakEtags,
  ) {
    super();
  }

  /** @param answer a `Reply` comes only from handlers without `@Endpoint` */
  async transform(request: ApiRequest, answer: Answer | Reply): Promise<Reply> {
    if (answer instanceof Reply) return answer;
    const outcome = isLarge(answer)
      ? await this.#slices.run(this.#prepare(request, answer), request.context.caller?.keyId ?? '')
      : this.#createOutcome(request, hideMembersOf(answer, request));
    if (request.context.endpoint === null) return createUnpricedReply(request.context, outcome);
    return this.settlement.settle(request, outcome);
  }

  /** Prepares a large answer. One of a hundred documents of 1 MiB would otherwise block the event loop for seconds. */
  *#prepare(request: ApiRequest, answer: Answer): Generator<void, Outcome> {
    const { data } = answer;
    const shown: Buffer[] = [];
    for (const document of Buffer.isBuffer(data) ? [data] : data) {
      shown.push(hideFromCaller(document, request));
      yield;
    }
    return this.#createOutcome(request, { ...answer, data: Buffer.isBuffer(data) ? (shown[0] ?? data) : shown });
  }

  /** @param answer without hidden members @param mayMatch whether the client may have the answer already */
  #createOutcome(request: ApiRequest, answer: Answer, mayMatch = true): Outcome {
    const { status = 200, headers = [], itemsReturned, cost } = answer;
    // POST responses are not cached, and pages without a key change all the time.
    const isConditional = request.context.endpoint !== null && request.method !== 'POST';
    const condition = isConditional && mayMatch ? request.headers['if-none-match'] : undefined;
    // Priced like HEAD: a free 304 to `*` would reveal whether data exists to clients that never got it.
    if (isWildcard(condition))
      return { status: 304, headers, body: null, itemsReturned: 0, pricedAs: status, cost: withoutCredits(cost) };
    const meta = createMeta(request, answer);
    const { body, bodyWithoutMeta } = createEnvelope(answer, meta);
    answer.free?.();
    if (!isConditional) return { status, headers, body, itemsReturned };
    const etag = ['ETag', this.etags.createTag(request.url, bodyWithoutMeta, omitRequestMembers(meta))] as const;
    if (matchesEtag(condition, etag[1])) {
      return { status: 304, headers: etag, body: null, itemsReturned: 0 };
    }
    const nextCursor = answer.paging?.next_cursor ?? null;
    // A feed always has a cursor, but a link to the next page only if that has items. HEAD has none, because a cursor reveals
    // the last record of its page, and HEAD costs no credits.
    const isLast = nextCursor === null || answer.paging?.has_more === false || request.method === 'HEAD';
    const own = isLast ? etag : [...etag, 'Link', formatNextLink(request.url, nextCursor)];
    return { status, headers: own, body, itemsReturned, cost, shorter: this.#createShorter(request, answer) };
  }

  #createShorter(request: ApiRequest, answer: Answer): readonly ShorterOutcome[] | undefined {
    const { data, shorter } = answer;
    return shorter?.map(({ documentCount, itemsReturned, cost, createPaging }) => ({
      itemsReturned,
      cost,
      create: () =>
        // Already charged, so never a 304, which is free.
        this.#createOutcome(
          request,
          {
            ...answer,
            data: Buffer.isBuffer(data) ? data : data.slice(0, documentCount),
            paging: createPaging(),
            itemsReturned,
            cost,
            shorter: undefined,
          },
          false,
        ),
    }));
  }
}

const withoutCredits = (cost: Cost | undefined): Cost | undefined => cost && { ...cost, credits: 0 };

const isLarge = ({ data }: Answer): boolean =>
  (Buffer.isBuffer(data) ? data.length : data.reduce((sum, { length }) => sum + length, 0)) > LARGE_ANSWER_BYTES;

const hideFromCaller = (document: Buffer, { context }: ApiRequest): Buffer =>
  context.caller?.hiddenMembers ? hideMembers(document, context.caller.hiddenMembers) : document;

function hideMembersOf(answer: Answer, request: ApiRequest): Answer {
  if (!request.context.caller?.hiddenMembers) return answer;
  const { data } = answer;
  return {
    ...answer,
    data: Buffer.isBuffer(data)
      ? hideFromCaller(data, request)
      : data.map((document) => hideFromCaller(document, request)),
  };
}
