import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callerOf, contextOf, type ApiRequest } from './api-request.js';

/** The ID of the key that the request came with. */
export const CallingKey = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => callerOf(execution).keyId,
);

/** The members that the calling key's policy hides; null for none. */
export const HiddenMembers = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ReadonlySet<string> | null => callerOf(execution).hiddenMembers,
);

/** When the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);

/** The path that was asked for, without its query. */
export const AskedPath = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => execution.switchToHttp().getRequest<ApiRequest>().path,
);
