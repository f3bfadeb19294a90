import type { ApiRequest } from '../api-request.js';
import type { Answer } from './answer.js';
import { metaName, type MetaMember } from './endpoint-rules.js';

type Meta = Readonly<Record<string, unknown>>;

/** Members that come from the request. The answer's `meta` has the others. */
const REQUEST_MEMBERS: { readonly [Member in MetaMember]?: (request: ApiRequest) => unknown } = {
  source: () => 'database',
  received_at: ({ context }) => context.receivedAtText,
  request_id: ({ context }) => context.requestId,
  platform: ({ context }) => context.platform,
  optional_platform: ({ context }) => context.platform,
  profile_id: ({ params }) => params.profile_id,
};

/** Creates `meta` with the members that the endpoint declares. Pages without a key have `received_at` only. */
export function createMeta(request: ApiRequest, { meta = {}, included }: Answer): Meta {
  const members: Record<string, unknown> = {};
  for (const name of request.context.endpoint?.meta ?? (['received_at'] as const)) {
    members[metaName(name)] = REQUEST_MEMBERS[name]?.(request) ?? meta[name] ?? null;
  }
  return included === undefined ? members : { ...members, ...included };
}

/** Returns the members of `meta` that describe the data, such as the game of a list. */
export function omitRequestMembers({ received_at: _time, request_id: _id, ...data }: Meta): Meta {
  return data;
}
