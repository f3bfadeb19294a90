import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { invalidRequest } from '../api-error.js';
import type { ApiRequest } from '../lean-express.adapter.js';
import { isPlatform, PLATFORMS, type Platform } from '../../model/platforms.js';

/**
 * The path parameter `platform`, one of those the endpoint serves (all, unless told).
 * Anything else is a 400.
 */
export const PlatformParam = createParamDecorator(
  (served: readonly Platform[] | undefined, execution: ExecutionContext): Platform => {
    const request = execution.switchToHttp().getRequest<ApiRequest & { params: Record<string, string> }>();
    const platform = request.params.platform ?? '';
    if (!isPlatform(platform) || !(served ?? PLATFORMS).includes(platform)) throw invalidRequest();
    request.context.platform = platform;
    return platform;
  },
);
