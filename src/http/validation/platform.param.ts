import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { isPlatform, PLATFORMS } from '../../model/platforms.js';
import { invalidRequest } from '../api-error.js';
import type { ApiRequest } from '../api-request.js';

/**
 * The path parameter `platform`, one of the values that the endpoint serves (all platforms, unless told).
 * Anything else is a 400.
 */
export const PlatformParam = createParamDecorator(
  (served: readonly string[] | undefined, execution: ExecutionContext): string => {
    const { context, params } = execution.switchToHttp().getRequest<ApiRequest>();
    const { platform = '' } = params;
    if (!(served ?? PLATFORMS).includes(platform)) throw invalidRequest();
    if (isPlatform(platform)) context.platform = platform;
    return platform;
  },
);
