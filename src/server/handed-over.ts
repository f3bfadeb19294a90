import type { Worker } from 'node:cluster';

/** How Node's cluster sends a connection to a worker: the raw handle, without a callback. */
type Send = (message: unknown, handle?: { close(): void }) => boolean;

/**
 * Closes the connection that was being handed to a worker when it died. Node forgets it and keeps it open: its client
 * would wait for ever.
 */
export function closeWhatDiesWith(worker: Worker): void {
  const send = worker.process.send.bind(worker.process) as Send;
  let handed: { close(): void } | null = null;
  // One at a time: the next is sent when the worker has said that it took this one.
  const sendAndRemember: Send = (message, handle) => {
    if (handle !== undefined) handed = handle;
    return send(message, handle);
  };
  Object.assign(worker.process, { send: sendAndRemember });
  worker.once('exit', () => handed?.close());
}
