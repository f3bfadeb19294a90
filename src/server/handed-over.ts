import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

/** What Node's cluster says to a worker and hears from it: each message has a number, each answer the number it is for. */
interface ClusterMessage {
  readonly seq?: number;
  readonly ack?: number;
}

/** How it sends a connection: the raw handle, without a callback. Its other messages have none, or null. */
type Send = (message: ClusterMessage, handle?: { close(): void } | null) => boolean;

/**
 * Closes the connection that was being handed to a worker when it died. Node forgets it and keeps it open: its client
 * would wait for ever. One that the worker took or refused is no longer its own: refused ones go to another worker.
 */
export function closeWhatDiesWith(worker: Worker): void {
  const send = worker.process.send.bind(worker.process) as Send;
  // One at a time: the next is sent when the worker has answered for this one.
  let handed: { readonly seq: number | undefined; close(): void } | null = null;
  const sendAndRemember: Send = (message, handle) => {
    if (handle) handed = { seq: message.seq, close: () => handle.close() };
    return send(message, handle);
  };
  Object.assign(worker.process, { send: sendAndRemember });
  worker.process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined && ack === handed?.seq) handed = null;
  });
  worker.once('exit', () => handed?.close());
}

/** Waits until the primary knows that this worker takes no more connections, and what it refused is with others. */
export async function leaveCluster(): Promise<void> {
  const worker = cluster.worker;
  if (worker === undefined || !worker.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}
