import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may go on sending after its last response. */
const LINGER_MS = 1000;

/** Ends a connection whose client may still be sending. The kernel resets a connection that is closed with unread bytes,
 * and the client would lose its response. */
export function lingerClose(socket: Socket, lastBytes?: string): void {
  if (lastBytes === undefined) socket.end();
  else socket.end(lastBytes);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Closes the connection after a response that did not wait for the whole request body. Node would read the rest of it,
 * however slowly it comes, to reach the next request. */
export function abandonUpload(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  response.shouldKeepAlive = false;
  // Node calls it after the last response of a connection.
  socket.destroySoon = () => lingerClose(socket);
}
