import type { Socket } from 'node:net';
import type { CountedResponse } from '../traffic/counted-response.js';

/** Returns the response that is being sent on a connection, null if none is. Node keeps it under a private name. */
export const currentResponse = (socket: Socket): CountedResponse | null =>
  (Reflect.get(socket, '_httpMessage') as CountedResponse | null | undefined) ?? null;

/** Returns the bytes that the kernel accepted of a socket. `bytesWritten` also counts a write of which only a part was
 * accepted; its rest is known to the handle alone. */
export function bytesAccepted(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as { readonly writeQueueSize?: number } | null;
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}
