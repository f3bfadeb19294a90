import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { clientClosed } from '../errors/api-error.js';
import type { ApiResponse } from '../api-request.js';

/** Time that a client's kernel has to reset a connection that no process reads. */
const PROBE_MS = 100;

/** Whether a request's client is connected and may still send. `rejectAbandoned` finds out about one that has ended its side. */
export const isClientPresent = ({ socket }: ApiResponse): boolean =>
  socket !== null && !socket.destroyed && !socket.readableEnded;

/**
 * Rejects a request whose client is gone, before its data is read. The request is recorded as 499 and costs nothing.
 * @param isExpensive checks one turn of the event loop later, to see a close that arrived with the request
 * @throws ApiError 499
 */
export async function rejectAbandoned(response: ApiResponse, isExpensive: boolean): Promise<void> {
  if (isExpensive) await nextTurn();
  const { socket, req: request } = response;
  if (socket === null || socket.destroyed) throw clientClosed();
  // A client's end is not seen while its connection is not read.
  if (!socket.isPaused() && (!socket.readableEnded || !request.complete)) return;
  // HTTP/1.0 has no pipelining, and no answer that a probe could send: a client of it that sent more requests and left reads none.
  const isLast = response.traffic.pipelining.lastResponse(socket) === response;
  if (request.httpVersion !== '1.1' && !isLast) socket.destroy();
  else await probeReader(response);
  if (socket.destroyed) throw clientClosed();
}

/** Closes the connection of a client that has ended its side, unless it still reads. If no process reads, its kernel answers
 * the first bytes with a reset, and the second write fails. */
export async function probeReader(response: ServerResponse): Promise<void> {
  if (response.req.httpVersion !== '1.1') return;
  response.writeProcessing();
  await delay(PROBE_MS);
  response.socket?.write('');
  await nextTurn();
}
