import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { badRequest } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import { isPlatform } from '../../model/platforms.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { readJsonBody } from './json-body.js';
import { refuseRepeated, refuseUnknown } from './request.pipe.js';

/** Room for forty tags, where a client keeps a few answers of an address. */
const MAX_TAGS_CHARACTERS = 1024;

const tagsTooLong = () => badRequest(`If-None-Match must not exceed ${MAX_TAGS_CHARACTERS} characters`);

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/** Third stop: parameters where the endpoint takes none, repeated ones, too many ETags, and the body. A middleware would read the body
 * before key and limit are checked. Unknown names among an endpoint's own parameters are refused by its pipe. */
@Injectable()
export class RequestShapeGuard implements CanActivate {
  constructor(private readonly recorder: UsageRecorder) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const { endpoint } = request.context;
    if (endpoint === null || endpoint.operation === 'unknown') return true;
    if ((request.headers['if-none-match']?.length ?? 0) > MAX_TAGS_CHARACTERS) throw tagsTooLong();
    if (request.originalUrl.includes('?')) {
      const { query } = request;
      if (!endpoint.takesQuery) refuseUnknown(query, NO_PARAMETERS);
      refuseRepeated(query);
      // For the usage record, also of a request that its pipe refuses.
      if (typeof query.platform === 'string' && isPlatform(query.platform)) request.context.platform = query.platform;
    }
    return endpoint.takesBody ? this.#readBody(request, http.getResponse<ApiResponse>()) : true;
  }

  async #readBody(request: ApiRequest, response: ApiResponse): Promise<boolean> {
    // The recorder must not wait for this request while its body is uploading.
    this.recorder.leave();
    try {
      await readJsonBody(request, response);
      return true;
    } finally {
      this.recorder.enter();
    }
  }
}
