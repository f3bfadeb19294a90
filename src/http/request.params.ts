import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiError } from './api-error.js';
import { callerOf, contextOf, type ApiRequest } from './api-request.js';
import { refusalOf } from './refusal.js';

/** The ID of the key that the request came with. */
export const CallingKey = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => callerOf(execution).keyId,
);

/** When the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);

/** A path that is no endpoint's. */
export interface AskedPath {
  readonly path: string;
  /** Why the request could not even be routed. */
  readonly refusal: ApiError | null;
}

export const Asked = createParamDecorator((_: unknown, execution: ExecutionContext): AskedPath => {
  const request = execution.switchToHttp().getRequest<ApiRequest>();
  return { path: request.path, refusal: refusalOf(request) };
});
