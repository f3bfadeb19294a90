import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { MonthAllowance } from '../receipts/allowances.js';
import { callerOf, contextOf, type ApiRequest } from './api-request.js';

export const CallingKey = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => callerOf(execution).keyId,
);

export const HiddenMembers = createParamDecorator(
  (_: unknown, execution: ExecutionContext): ReadonlySet<string> | null => callerOf(execution).hiddenMembers,
);

/** Month allowances of the calling key; null for none. */
export const CallingAllowance = createParamDecorator(
  (_: unknown, execution: ExecutionContext): MonthAllowance | null => callerOf(execution).allowance,
);

/** Time at which the service received the request, in milliseconds since 1970. */
export const ReceivedAt = createParamDecorator(
  (_: unknown, execution: ExecutionContext): number => contextOf(execution).receivedAt,
);

export const RequestPath = createParamDecorator(
  (_: unknown, execution: ExecutionContext): string => execution.switchToHttp().getRequest<ApiRequest>().path,
);
