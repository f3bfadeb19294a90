import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callerOf, contextOf, type ApiRequest } from './api-request.js';

/** ID of the calling key. */
export const CallingKey = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => callerOf(execution).keyId,
);

/** Members that the calling key's policy hides; null for none. */
export const HiddenMembers = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ReadonlySet<string> | null => callerOf(execution).hiddenMembers,
);

/** Time at which the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);

/** Path of the request, without its query. */
export const RequestPath = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => execution.switchToHttp().getRequest<ApiRequest>().path,
);
