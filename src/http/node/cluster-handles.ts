import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listeningHandle, untilQueueIsEmpty, type ListeningHandle } from './graceful-stop.js';

/** Internal message of Node's cluster: `seq` numbers a message, `ack` names the message that it answers. */
interface ClusterMessage {
  readonly seq?: number;
  readonly ack?: number;
}

/** Sends a message, with the raw handle of a connection if it passes one to the worker. */
type Send = (message: ClusterMessage, handle?: { close(): void } | null) => boolean;

/** Time for the workers to take the connections that the primary has accepted. A busy worker takes one a turn of its event loop. */
const HAND_OVER_TIMEOUT_MS = 5000;
const POLL_MS = 20;

/** A connection that the primary sent to a worker, which has not yet accepted or rejected it. */
interface SentConnection {
  readonly seq: number | undefined;
  close(): void;
}

/** The connections that the primary of a cluster accepts and passes to its workers. Created before the first worker. */
export class ClusterConnections {
  /** Sockets on which the primary listens. Node keeps them to itself, and makes them with `net.createServer`. */
  readonly #listeners: ListeningHandle[] = [];
  /** At most one a worker: Node sends the next connection when the worker has answered. While others wait, no worker is without. */
  readonly #unanswered = new Map<Worker, SentConnection>();

  constructor() {
    const { createServer } = net;
    const createAndFind = (...args: Parameters<typeof createServer>) => {
      const server = createServer(...args);
      server.once('listening', () => {
        const handle = listeningHandle(server);
        if (handle !== null) this.#listeners.push(handle);
      });
      return server;
    };
    Object.assign(net, { createServer: createAndFind });
  }

  /**
   * Closes the connection that was being passed to a worker when the worker died. Node would leave it open, and its client
   * would wait forever. Once the worker has accepted or rejected a connection, it is not orphaned: Node passes rejected ones
   * to another worker.
   */
  watch(worker: Worker): void {
    const send = worker.process.send.bind(worker.process) as Send;
    const sendAndRemember: Send = (message, handle) => {
      if (handle) this.#unanswered.set(worker, { seq: message.seq, close: () => handle.close() });
      return send(message, handle);
    };
    Object.assign(worker.process, { send: sendAndRemember });
    worker.process.on('internalMessage', ({ ack }: ClusterMessage) => {
      if (ack !== undefined && ack === this.#unanswered.get(worker)?.seq) this.#unanswered.delete(worker);
    });
    worker.once('exit', () => {
      this.#unanswered.get(worker)?.close();
      this.#unanswered.delete(worker);
    });
  }

  /**
   * Stops listening when no connection waits, and resolves when the workers have taken all. To be called before the workers stop:
   * the last one that closes its server would reset the connections that the primary has accepted for it.
   */
  async stop(): Promise<void> {
    await Promise.all(this.#listeners.map(closeWhenQuiet));
    const startedAt = performance.now();
    while (this.#unanswered.size > 0 && performance.now() - startedAt < HAND_OVER_TIMEOUT_MS) await delay(POLL_MS);
  }
}

async function closeWhenQuiet(handle: ListeningHandle): Promise<void> {
  const accept = handle.onconnection.bind(handle);
  await untilQueueIsEmpty(handle, (onConnection) => {
    handle.onconnection = (...args) => {
      onConnection();
      accept(...args);
    };
  });
  handle.close();
}

/** Disconnects this worker: it gets no more connections, and those that it rejected were passed to other workers. */
export async function leaveCluster(): Promise<void> {
  const worker = cluster.worker;
  if (worker === undefined || !worker.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}
