import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from './api-request.js';

const contextOf = (execution: ExecutionContext) => execution.switchToHttp().getRequest<ApiRequest>().context;

/** The ID of the key that the request came with; behind the key guard there always is one. */
export const CallingKey = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const { caller } = contextOf(execution);
  if (caller === null) throw new Error('this endpoint has no key guard before it');
  return caller.keyId;
});

/** When the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);
