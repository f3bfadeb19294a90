import type { ApiError } from '../errors/api-error.js';
import { createErrorBody } from '../errors/error-body.js';
import type { RequestContext } from '../request-context.js';
import type { Outcome } from './reply.js';

export function createErrorOutcome({ requestId }: RequestContext, error: ApiError): Outcome {
  return {
    status: error.status,
    body: Buffer.from(JSON.stringify(createErrorBody(error, requestId))),
    headers: Object.entries(error.headers).flatMap(([name, value]) => [name, String(value)]),
    itemsReturned: 0,
  };
}
