import { MessageChannel } from 'node:worker_threads';

const closedPort = new MessageChannel().port1;
closedPort.close();

/** Frees memory, which must not be used afterwards. Otherwise it piles up until the next full garbage collection, and large
 * pieces make that come often. Transferring memory to a closed port detaches it. */
export function detachMemory(memory: ArrayBufferLike): void {
  closedPort.postMessage(null, [memory as ArrayBuffer]);
}
