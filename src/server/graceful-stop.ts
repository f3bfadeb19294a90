import { Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Traffic } from '../http/traffic/traffic.js';

const POLL_MS = 20;

/**
 * How long idle connections are kept: a client that is about to send on one still gets its answer. Counted, not timed: after
 * a time without CPU there is still to be read what came meanwhile.
 */
const IDLE_GRACE_POLLS = 500 / POLL_MS;

/** After this, connections are cut. In an outage a request takes up to 5 s, and one more may come on its connection. */
const LONGEST_STOP_MS = 10_000;

/**
 * Accepts no more connections, answers requests in flight, and asks clients to leave with `Connection: close`.
 * `server.close()` would close idle connections at once and so drop requests already on the wire.
 */
export async function stopGracefully(server: Server, traffic: Traffic): Promise<void> {
  let closed = false;
  // net.Server's own close leaves existing connections alone.
  NetServer.prototype.close.call(server, () => (closed = true));
  // A client that was told to stay would send its next request into a connection that is being closed.
  traffic.drain();
  const startedAt = performance.now();
  for (let polls = 1; !closed && performance.now() - startedAt < LONGEST_STOP_MS; polls += 1) {
    await delay(POLL_MS);
    if (polls >= IDLE_GRACE_POLLS) traffic.closeIdle();
  }
  server.closeAllConnections();
}
