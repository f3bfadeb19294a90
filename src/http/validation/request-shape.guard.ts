import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { badRequest, limitExceeded } from '../api-error.js';
import type { ApiRequest, ApiResponse } from '../api-request.js';
import type { EndpointRules } from '../envelope/endpoint-rules.js';
import { rejectAbandoned } from '../traffic/abandoned-request.js';
import { isExpensive } from '../../receipts/prices.js';
import { isPlatform } from '../../model/platforms.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { readJsonBody } from './json-body.js';
import { refuseRepeated, refuseUnknown } from './request.pipe.js';

/** Room for forty tags, where a client keeps a few answers of an address. */
const MAX_TAGS_CHARACTERS = 1024;

const tagsTooLong = () => badRequest(`If-None-Match must not exceed ${MAX_TAGS_CHARACTERS} characters`);

/** As many as Node's parser reads. It would ignore the parameters behind them. */
const MAX_QUERY_PARTS = 1000;

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/** Third stop: rejects odd requests, parameters where the endpoint has none and repeated ones, and too many ETags; then reads the body, which
 * a middleware would do before key and limit are checked. Unknown names among an endpoint's own parameters are rejected
 * by its pipe. */
@Injectable()
export class RequestShapeGuard implements CanActivate {
  constructor(private readonly recorder: UsageRecorder) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<ApiResponse>();
    const { endpoint, rejection, caller } = request.context;
    if (rejection !== null) throw rejection;
    if (request.malformed !== undefined) throw request.malformed;
    if (endpoint === null || caller === null || endpoint.operation === 'unknown') return true;
    if (response.traffic.readers.isBehind(caller.keyId)) throw limitExceeded(1);
    if ((request.headers['if-none-match']?.length ?? 0) > MAX_TAGS_CHARACTERS) throw tagsTooLong();
    if (request.originalUrl.includes('?')) checkQuery(request, endpoint);
    if (endpoint.takesBody) await this.#readBody(request, response, caller.keyId);
    await rejectAbandoned(response, isExpensive(endpoint.operation));
    return true;
  }

  async #readBody(request: ApiRequest, response: ApiResponse, keyId: string): Promise<void> {
    // The recorder must not wait for this request while its body is uploading.
    this.recorder.leave();
    try {
      await readJsonBody(request, response, keyId);
    } finally {
      this.recorder.enter();
    }
  }
}

function checkQuery({ originalUrl, query, context }: ApiRequest, { takesQuery }: EndpointRules): void {
  if (originalUrl.length > MAX_QUERY_PARTS && originalUrl.split('&').length > MAX_QUERY_PARTS) {
    throw badRequest(`Query must not have more than ${MAX_QUERY_PARTS} parameters`);
  }
  if (!takesQuery) refuseUnknown(query, NO_PARAMETERS);
  refuseRepeated(query);
  // For the usage record, also of a request that its pipe rejects.
  if (typeof query.platform === 'string' && isPlatform(query.platform)) context.platform = query.platform;
}
