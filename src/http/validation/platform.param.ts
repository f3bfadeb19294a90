import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isPlatform } from '../../model/platforms.js';
import { invalidPlatform } from '../errors/api-error.js';
import type { ApiRequest } from '../api-request.js';

/** Path parameter `platform`, one of the platforms that the endpoint declares. Stores it for the usage record.
 * @throws ApiError 400 for any other value */
export const PlatformParam = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const { context, params } = execution.switchToHttp().getRequest<ApiRequest>();
  const { platform = '' } = params;
  const allowed = context.endpoint?.platforms ?? [];
  if (!allowed.includes(platform)) throw invalidPlatform(allowed);
  if (isPlatform(platform)) context.platform = platform;
  return platform;
});
