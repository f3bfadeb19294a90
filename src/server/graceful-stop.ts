import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connections } from '../http/connections.js';

/** How long idle connections are kept: a client that is about to send on one still gets its answer. */
const IDLE_GRACE_MS = 500;

/** After this, connections are cut. In an outage a request takes up to 5 s, and one more may come on its connection. */
const LONGEST_STOP_MS = 10_000;

const POLL_MS = 20;

/**
 * Accepts no more connections, answers requests in flight, and asks clients to leave with `Connection: close`.
 * `server.close()` would close idle connections at once and so drop requests already on the wire.
 */
export async function stopGracefully(server: Server, connections: Connections): Promise<void> {
  let closed = false;
  // net.Server's own close leaves existing connections alone.
  NetServer.prototype.close.call(server, () => (closed = true));
  // A client that was told to stay would send its next request into a connection that is being closed.
  connections.drain();
  const startedAt = performance.now();
  while (!closed && performance.now() - startedAt < LONGEST_STOP_MS) {
    await delay(POLL_MS);
    if (performance.now() - startedAt >= IDLE_GRACE_MS) connections.closeIdle();
  }
  server.closeAllConnections();
}
