import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may keep sending after its last response. */
const LINGER_MS = 1000;

/** Closes a connection whose client may still be sending. Closing with unread bytes makes the kernel reset the
 * connection, and the client would lose its response. So this ends only our side, and reads on for a while. */
export function lingerClose(socket: Socket, lastBytes?: string): void {
  if (lastBytes === undefined) socket.end();
  else socket.end(lastBytes);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Closes the connection after a response that is sent before the request body is complete. Node would read the rest of
 * the body, however slow, to reach the next request. */
export function abandonUpload(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  response.shouldKeepAlive = false;
  // Node calls `destroySoon` after the last response on a connection.
  socket.destroySoon = () => lingerClose(socket);
}
