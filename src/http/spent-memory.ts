import { MessageChannel } from 'node:worker_threads';

/** Node cuts smaller buffers from a piece of memory that others are cut from as well. */
const SHARED_BYTES = Buffer.poolSize >>> 1;

const nobody = new MessageChannel().port1;
nobody.close();

/**
 * Frees the memory of an answer that is sent; its large pieces must have theirs to themselves. Left to the garbage
 * collector, it would wait until the whole heap is looked through, and have that done the more often, the larger the
 * answers. What is transferred is the receiver's, and a closed port has none.
 */
export function giveBack(pieces: readonly Buffer[]): void {
  const memory = pieces.filter(({ length }) => length > SHARED_BYTES).map(({ buffer }) => buffer as ArrayBuffer);
  nobody.postMessage(null, memory);
}
