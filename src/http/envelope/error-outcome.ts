import type { ApiError } from '../api-error.js';
import type { RequestContext } from '../request-context.js';
import type { Outcome } from './reply.js';

export function createErrorOutcome({ requestId }: RequestContext, { status, message, headers }: ApiError): Outcome {
  return {
    status,
    body: Buffer.from(JSON.stringify({ error: { status, message }, meta: { request_id: requestId } })),
    headers: Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
    itemsReturned: 0,
  };
}
