import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isPlatform } from '../../model/platforms.js';
import { invalidRequest } from '../api-error.js';
import type { ApiRequest } from '../api-request.js';

/** Path parameter `platform`, one of the platforms that the endpoint declares. Stores it for the usage record.
 * @throws ApiError 400 for any other value */
export const PlatformParam = createParamDecorator((_: unknown, execution: ExecutionContext): string => {
  const { context, params } = execution.switchToHttp().getRequest<ApiRequest>();
  const { platform = '' } = params;
  if (context.endpoint?.platforms?.includes(platform) !== true) throw invalidRequest();
  if (isPlatform(platform)) context.platform = platform;
  return platform;
});
