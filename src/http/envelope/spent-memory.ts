import { MessageChannel } from 'node:worker_threads';

/** Node cuts smaller buffers from a piece of memory that others are cut from as well. */
const SHARED_BYTES = Buffer.poolSize >>> 1;

const nobody = new MessageChannel().port1;
nobody.close();

/**
 * Frees the memory of an answer that is sent, which nothing else may use. Left to the garbage collector, it would wait until
 * the whole heap is looked through, and have that done the more often, the larger the answers. What is transferred is the
 * receiver's, and a closed port has none.
 */
export function giveBack(bytes: Buffer): void {
  if (bytes.length > SHARED_BYTES) nobody.postMessage(null, [bytes.buffer as ArrayBuffer]);
}
