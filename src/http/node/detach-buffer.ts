import { MessageChannel } from 'node:worker_threads';

const closedPort = new MessageChannel().port1;
closedPort.close();

/** Frees the memory of a large buffer, which must not be used afterwards. Otherwise sent bodies pile up until the next
 * full garbage collection. Transferring a buffer to a closed port detaches it. */
export function detachBuffer(bytes: Buffer): void {
  // Small buffers share Node's pool, which must stay attached.
  if (bytes.byteLength === bytes.buffer.byteLength) closedPort.postMessage(null, [bytes.buffer as ArrayBuffer]);
}
