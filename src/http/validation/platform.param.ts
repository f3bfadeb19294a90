import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isPlatform } from '../../model/platforms.js';
import { invalidRequest } from '../api-error.js';
import type { ApiRequest } from '../api-request.js';

/** The path parameter `platform`, one of those that the endpoint declares; anything else is a 400. It is noted for the
 * usage record. */
export const PlatformParam = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const { context, params } = execution.switchToHttp().getRequest<ApiRequest>();
  const { platform = '' } = params;
  if (context.endpoint?.platforms?.includes(platform) !== true) throw invalidRequest();
  if (isPlatform(platform)) context.platform = platform;
  return platform;
});
