import type { Socket } from 'node:net';
import type { CountedResponse } from '../traffic/counted-response.js';

/** Returns the response that currently owns the socket, or null. Node has no public member for it. */
export const currentResponse = (socket: Socket): CountedResponse | null =>
  (Reflect.get(socket, '_httpMessage') as CountedResponse | null | undefined) ?? null;

/** Returns how many bytes the kernel has accepted. `bytesWritten` also counts all of a partly accepted write; only the
 * socket's handle knows the rest of it. */
export function bytesAccepted(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as { readonly writeQueueSize?: number } | null;
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

/** Lets Node abort the requests that wait on a connection when it closes without a stack trace for each, which nobody reads and
 * which would block the process for milliseconds if hundreds wait. Node adds its own listener before the event `connection`. */
export function abortWithoutStackTraces(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
}
