import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How long idle connections are kept: a client that is about to send on one still gets its answer. */
const IDLE_GRACE_MS = 500;

/** After this, connections are cut. */
const LONGEST_STOP_MS = 10_000;

const POLL_MS = 20;

/** Accepts no more connections, answers requests in flight, and asks clients to leave with `Connection: close`.
 * `server.close()` would close idle connections at once and so drop requests already on the wire. */
export async function stopGracefully(server: Server): Promise<void> {
  let closed = false;
  // net.Server's own close leaves existing connections alone.
  NetServer.prototype.close.call(server, () => (closed = true));
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const startedAt = Date.now();
  while (!closed && Date.now() - startedAt < LONGEST_STOP_MS) {
    await delay(POLL_MS);
    if (Date.now() - startedAt >= IDLE_GRACE_MS) server.closeIdleConnections();
  }
  server.closeAllConnections();
}
