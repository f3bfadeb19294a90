import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Traffic } from '../traffic/traffic.js';

const POLL_MS = 20;

/**
 * Polls for which idle connections stay open, because their clients may be about to send. Not a clock: after a pause of the
 * process, requests that arrived meanwhile are still unread.
 */
const IDLE_GRACE_POLLS = 500 / POLL_MS;

/** Time after which all accepted connections are closed. In an outage a request takes up to 5 s, and another one may follow it. */
const STOP_TIMEOUT_MS = 10_000;

/** Time for connections that wait in the kernel's queue, which may be thousands. */
const ACCEPT_TIMEOUT_MS = 10_000;

/** A turn of the event loop up to this long, without a new connection, means that the kernel's queue was empty. During a longer one,
 * others may have arrived. */
const QUIET_TURN_MS = 1;

/** Raw handle of a listening socket. Node keeps it to itself. */
export interface ListeningHandle {
  /** Sets how many connections may wait in the kernel's queue. */
  listen(backlog: number): number;
  onconnection(...args: readonly unknown[]): void;
  close(): void;
}

/** Returns the handle of a server; null if it does not listen. */
export const listeningHandle = (server: NetServer): ListeningHandle | null =>
  (Reflect.get(server, '_handle') as ListeningHandle | null | undefined) ?? null;

/**
 * Waits until the kernel's queue of connections is empty: closing the server would reset them. The caller closes it at once. A
 * connection that arrives in between is reset all the same.
 * @param subscribe has the listener called for each connection that is accepted
 */
export async function untilQueueIsEmpty(
  handle: ListeningHandle | null,
  subscribe: (onConnection: () => void) => void,
): Promise<void> {
  const startedAt = performance.now();
  // Clients that reconnect may be faster than this process. While one connection waits, the kernel now ignores others: their
  // clients try again after a second, and are refused.
  handle?.listen(0);
  let hasAccepted = false;
  subscribe(() => (hasAccepted = true));
  // The turn in which the stop was requested may end before the queue is read.
  await nextTurn();
  let turnAt = performance.now();
  // The event loop accepts one a turn.
  for (let isQuiet = false; !isQuiet && turnAt - startedAt < ACCEPT_TIMEOUT_MS;) {
    hasAccepted = false;
    await nextTurn();
    const now = performance.now();
    isQuiet = !hasAccepted && now - turnAt < QUIET_TURN_MS;
    turnAt = now;
  }
}

/**
 * Stops accepting connections, answers requests in flight, and sends `Connection: close`. `server.close()` would close idle
 * connections at once, and drop requests that are already on the wire.
 */
export async function stopGracefully(server: Server, traffic: Traffic): Promise<void> {
  await untilQueueIsEmpty(listeningHandle(server), (onConnection) => server.on('connection', onConnection));
  const startedAt = performance.now();
  // Not earlier, or clients would reconnect instead of using the connections that they have.
  traffic.drain();
  let closed = false;
  // The `close` of `net.Server` leaves existing connections open.
  NetServer.prototype.close.call(server, () => (closed = true));
  for (let polls = 1; !closed && performance.now() - startedAt < STOP_TIMEOUT_MS; polls += 1) {
    await delay(POLL_MS);
    if (polls >= IDLE_GRACE_POLLS) traffic.closeIdle();
  }
  server.closeAllConnections();
}
