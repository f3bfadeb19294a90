import type { ApiRequest } from '../api-request.js';
import type { Answer } from './answer.js';
import type { MetaMember } from './endpoint-rules.js';

type Meta = Readonly<Record<string, unknown>>;

/** The members that the request itself tells; all others are in the answer's `meta`. */
const TOLD_BY_REQUEST: { readonly [Member in MetaMember]?: (request: ApiRequest) => unknown } = {
  source: () => 'database',
  received_at: ({ context }) => context.receivedAtText,
  request_id: ({ context }) => context.requestId,
  platform: ({ context }) => context.platform,
  optional_platform: ({ context }) => context.platform,
  profile_id: ({ params }) => params.profile_id,
};

/** The members that the endpoint declares, in its order; pages without a key say when they were asked for. */
export function metaOf(request: ApiRequest, { meta = {} }: Answer): Meta {
  const members: Record<string, unknown> = {};
  for (const name of request.context.endpoint?.meta ?? (['received_at'] as const)) {
    members[name === 'optional_platform' ? 'platform' : name] = TOLD_BY_REQUEST[name]?.(request) ?? meta[name] ?? null;
  }
  return members;
}

/** What `meta` says of the data, such as the game of a list; the rest is of the request. */
export function aboutData({ received_at: _time, request_id: _id, ...data }: Meta): Meta {
  return data;
}
