import { ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { headerReferences } from '../../http/envelope/header-documentation.js';
import { createMetaSchema } from '../../http/envelope/envelope-schemas.js';

/** Documents an answer of a health endpoint. @param payload name of its schema */
export function HealthResponse(
  status: 200 | 503,
  description: string,
  payload: 'Health' | 'Liveness',
): MethodDecorator {
  const schema = {
    type: 'object',
    required: ['payload', 'meta'],
    properties: { payload: { $ref: `#/components/schemas/${payload}` }, meta: createMetaSchema(['received_at']) },
  };
  const headers = headerReferences(
    'X-Request-Id',
    'Cache-Control',
    ...(status === 503 ? (['Retry-After'] as const) : []),
  );
  // The types of the package only cover OpenAPI 3.0.
  return ApiResponse({ status, description, schema, headers } as ApiResponseOptions);
}
