import { MessageChannel } from 'node:worker_threads';

const nobody = new MessageChannel().port1;
nobody.close();

/** Frees the memory of a large buffer now; nothing may use it afterwards. Left to the garbage collector, bodies that
 * were sent pile up until it looks through the whole heap. Transferring a buffer to a closed port detaches it. */
export function detachBuffer(bytes: Buffer): void {
  // Smaller ones are parts of Node's pool.
  if (bytes.byteLength === bytes.buffer.byteLength) nobody.postMessage(null, [bytes.buffer as ArrayBuffer]);
}
