import { Injectable } from '@nestjs/common';
import { AwaitedInterceptor } from '../awaited-interceptors.js';
import type { ApiRequest } from '../api-request.js';
import { formatNextLink } from '../paging/next-link.js';
import type { Caller } from '../request-context.js';
import type { Answer } from './answer.js';
import { createEnvelope } from './envelope.js';
import { hideMembers } from './hide-members.js';
import { isWildcard, matchesEtag, WeakEtags } from './etag.js';
import { omitRequestMembers, createMeta } from './meta.js';
import { Settlement } from './settlement.js';
import { createUnpricedReply, Reply, type Outcome } from './reply.js';

/** Turns the answer of a handler into a reply with envelope and ETag, or a 304, and settles the request. */
@Injectable()
export class EnvelopeInterceptor extends AwaitedInterceptor {
  constructor(
    private readonly settlement: Settlement,
    private readonly etags: WeakEtags,
  ) {
    super();
  }

  /** @param answer a `Reply` comes only from handlers without `@Endpoint` */
  async transform(request: ApiRequest, answer: Answer | Reply): Promise<Reply> {
    if (answer instanceof Reply) return answer;
    const outcome = this.#createOutcome(request, answer);
    if (request.context.endpoint === null) return createUnpricedReply(request.context, outcome);
    return this.settlement.settle(request, outcome);
  }

  #createOutcome(request: ApiRequest, answer: Answer): Outcome {
    const { status = 200, headers = [], itemsReturned } = answer;
    // POST responses are not cached, and pages without a key change all the time.
    const isConditional = request.context.endpoint !== null && request.method !== 'POST';
    const condition = isConditional ? request.headers['if-none-match'] : undefined;
    // Priced like HEAD: a free 304 to `*` would reveal whether data exists to clients that never got it.
    if (isWildcard(condition)) return { status: 304, headers, body: null, itemsReturned: 0, pricedAs: status };
    const meta = createMeta(request, answer);
    const { data, body } = createEnvelope(hideFromCaller(request.context.caller, answer), meta);
    if (!isConditional) return { status, headers, body, itemsReturned };
    const etag = ['ETag', this.etags.createTag(request.url, data, omitRequestMembers(meta))] as const;
    if (matchesEtag(condition, etag[1])) {
      return { status: 304, headers: etag, body: null, itemsReturned: 0 };
    }
    const nextCursor = answer.paging?.next_cursor ?? null;
    const own = nextCursor === null ? etag : [...etag, 'Link', formatNextLink(request.url, nextCursor)];
    return { status, headers: own, body, itemsReturned };
  }
}

function hideFromCaller(caller: Caller | null, answer: Answer): Answer {
  const hidden = caller?.hiddenMembers ?? null;
  if (hidden === null) return answer;
  const { data } = answer;
  return {
    ...answer,
    data: Buffer.isBuffer(data) ? hideMembers(data, hidden) : data.map((document) => hideMembers(document, hidden)),
  };
}
