import type { Socket } from 'node:net';

/** How long a client may go on sending after its last answer. */
const LINGER_MS = 1000;

/** Ends a connection whose client may still be sending. Closed at once, the system would reset it because of what was
 * not read, and the client would lose its answer. */
export function closeGently(socket: Socket, lastWords?: string): void {
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
