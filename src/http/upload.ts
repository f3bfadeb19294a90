import { closeGently } from './close-gently.js';
import type { ApiRequest, ApiResponse } from './api-request.js';

export const MAX_BODY_BYTES = 256 * 1024;

/** Whether a body says itself that it is too large. */
export const isTooLarge = ({ headers }: ApiRequest): boolean => Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES;

/** Closes the connection behind an answer that did not wait for the body, where that is large, of unknown length, or
 * waits for `100 Continue`. Node would read all of it to reach the next request. */
export function stopUpload(response: ApiResponse): void {
  const { req: request, socket } = response;
  const { expect, 'transfer-encoding': encoding } = request.headers;
  if (socket === null || (expect === undefined && encoding === undefined && !isTooLarge(request))) return;
  response.shouldKeepAlive = false;
  // What Node calls after the last answer of a connection.
  socket.destroySoon = () => closeGently(socket);
}
