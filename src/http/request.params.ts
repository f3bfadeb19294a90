import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callerOf, contextOf, type ApiRequest } from './api-request.js';

/** The ID of the key that the request came with. */
export const CallingKey = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => callerOf(execution).keyId,
);

/** When the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);

/** The path that was asked for, without its query. */
export const AskedPath = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => execution.switchToHttp().getRequest<ApiRequest>().path,
);
