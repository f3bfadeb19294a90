import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

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

/** Disconnects this worker: it gets no more connections, and those that it rejected were passed to other workers. */
export async function leaveCluster(): Promise<void> {
  const worker = cluster.worker;
  if (worker === undefined || !worker.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}
