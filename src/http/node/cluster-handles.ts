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

/**
 * Closes the connection that was being passed to a worker when the worker died. Node would leave it open, and its client
 * would wait forever. Once the worker has accepted or rejected a connection, it is not orphaned: Node passes rejected ones
 * to another worker.
 */
export function closeOrphanedHandle(worker: Worker): void {
  const send = worker.process.send.bind(worker.process) as Send;
  // At most one: Node sends the next connection when the worker has answered.
  let unanswered: { readonly seq: number | undefined; close(): void } | null = null;
  const sendAndRemember: Send = (message, handle) => {
    if (handle) unanswered = { seq: message.seq, close: () => handle.close() };
    return send(message, handle);
  };
  Object.assign(worker.process, { send: sendAndRemember });
  worker.process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined && ack === unanswered?.seq) unanswered = null;
  });
  worker.once('exit', () => unanswered?.close());
}

/** Time for the workers to accept the connections that the primary has accepted for them. */
const HAND_OVER_MS = 100;

/**
 * Finds the sockets on which the primary listens for its workers, which Node keeps to itself: it makes them with `net.createServer`.
 * The last worker that closes its server would reset the connections that the primary accepts at that moment.
 * @returns a function that stops listening when no connection waits, to be called before the workers stop
 */
export function findListeners(): () => Promise<void> {
  const handles: ListeningHandle[] = [];
  const { createServer } = net;
  const createAndFind = (...args: Parameters<typeof createServer>) => {
    const server = createServer(...args);
    server.once('listening', () => {
      const handle = listeningHandle(server);
      if (handle !== null) handles.push(handle);
    });
    return server;
  };
  Object.assign(net, { createServer: createAndFind });
  return async () => {
    await Promise.all(handles.map(closeWhenQuiet));
    await delay(HAND_OVER_MS);
  };
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
