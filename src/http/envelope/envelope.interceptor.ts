import { Injectable } from '@nestjs/common';
import { AwaitedInterceptor } from '../awaited-interceptors.js';
import type { ApiRequest } from '../api-request.js';
import { nextLink } from '../paging/next-link.js';
import type { Caller } from '../request-context.js';
import type { Answer } from './answer.js';
import { envelope } from './envelope.js';
import { hideMembers } from './hide-members.js';
import { matchesAnything, matchesEtag, WeakEtags } from './etag.js';
import { aboutData, metaOf } from './meta.js';
import { Settlement } from './settlement.js';
import { openReply, Reply, type Outcome } from './reply.js';

/** Makes a reply of what a controller method returns: envelope, ETag and 304; then it is priced and recorded. */
@Injectable()
export class EnvelopeInterceptor extends AwaitedInterceptor {
  constructor(
    private readonly settlement: Settlement,
    private readonly etags: WeakEtags,
  ) {
    super();
  }

  /** @param answer a `Reply` only from a handler that has no `@Endpoint` */
  async transform(request: ApiRequest, answer: Answer | Reply): Promise<Reply> {
    if (answer instanceof Reply) return answer;
    const outcome = this.#outcomeOf(request, answer);
    if (request.context.endpoint === null) return openReply(request.context, outcome);
    return this.settlement.settle(request, outcome);
  }

  #outcomeOf(request: ApiRequest, answer: Answer): Outcome {
    const { status = 200, headers = [], itemsReturned } = answer;
    // Nobody caches POST, and pages without a key describe this moment.
    const isConditional = request.context.endpoint !== null && request.method !== 'POST';
    const condition = isConditional ? request.headers['if-none-match'] : undefined;
    // Whoever sends no tag may have no answer: free, it would tell what is there and when it changes.
    if (matchesAnything(condition)) return { status: 304, headers, body: null, itemsReturned: 0, pricedAs: status };
    const meta = metaOf(request, answer);
    const { data, body } = envelope(visibleTo(request.context.caller, answer), meta);
    if (!isConditional) return { status, headers, body, itemsReturned };
    const etag = ['ETag', this.etags.tagOf(request.url, data, aboutData(meta))] as const;
    if (matchesEtag(condition, etag[1])) {
      return { status: 304, headers: etag, body: null, itemsReturned: 0 };
    }
    const nextCursor = answer.paging?.next_cursor ?? null;
    const own = nextCursor === null ? etag : [...etag, 'Link', nextLink(request.url, nextCursor)];
    return { status, headers: own, body, itemsReturned };
  }
}

/** The answer as the caller's policy lets it be seen. */
function visibleTo(caller: Caller | null, answer: Answer): Answer {
  const hidden = caller?.hiddenMembers ?? null;
  if (hidden === null) return answer;
  const { data } = answer;
  return {
    ...answer,
    data: Buffer.isBuffer(data) ? hideMembers(data, hidden) : data.map((document) => hideMembers(document, hidden)),
  };
}
