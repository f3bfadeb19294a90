import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { clientClosed } from '../api-error.js';
import type { ApiResponse } from '../api-request.js';

/** How long a client's kernel has to reset a connection that nobody reads any more. */
const PROBE_MS = 100;

/**
 * Rejects a request whose client has gone before its data is read: it is recorded as 499 and costs nothing.
 * @param isExpensive looks a turn of the event loop later, when a close that came with the request has been seen
 * @throws ApiError 499
 */
export async function rejectAbandoned(response: ApiResponse, isExpensive: boolean): Promise<void> {
  if (isExpensive) await nextTurn();
  const { socket, req: request } = response;
  if (socket === null || socket.destroyed) throw clientClosed();
  if (!socket.readableEnded || !request.complete) return;
  await probeReader(response);
  if (socket.destroyed) throw clientClosed();
}

/** Closes the connection of a client that has ended its side, unless it still reads. If nobody does, its kernel resets the
 * connection on the first bytes, and the second write fails. */
export async function probeReader(response: ServerResponse): Promise<void> {
  if (response.req.httpVersion !== '1.1') return;
  response.writeProcessing();
  await delay(PROBE_MS);
  response.socket?.write('');
  await nextTurn();
}
