import { Worker } from 'node:worker_threads';
import type { Manifest } from './segments/index-folder.mjs';
import type { Order } from './search-index.worker.mjs';

/** Maximum size of V8's young generation in the thread, in MiB. V8's default lets garbage of a build accumulate. */
const YOUNG_GENERATION_MIB = 16;

interface PendingOrder {
  resolve(result: Manifest | null): void;
  reject(error: Error): void;
}

type OrderResult =
  { readonly result: Manifest | null } | { readonly error: { readonly message: string; readonly code: string } };

/** Worker thread that writes the index. It answers orders in order. After a failed order its state is undefined: stop it. */
export class IndexThread {
  readonly #worker: Worker;
  readonly #pending: PendingOrder[] = [];
  #failure: Error | null = null;

  constructor() {
    this.#worker = new Worker(new URL('./search-index.worker.mjs', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: OrderResult) => this.#settle(message));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread that writes the search index ended')));
  }

  /** Whether the thread ended. */
  get hasEnded(): boolean {
    return this.#failure !== null;
  }

  /** Sends an order. @param transferred buffers that the thread takes over
   * @returns the manifest after `open` and `publish`; null if `open` finds no undamaged index */
  send(order: Order, transferred: readonly ArrayBuffer[] = []): Promise<Manifest | null> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#worker.postMessage(order, transferred);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(message: OrderResult): void {
    const order = this.#pending.shift();
    if (this.#pending.length === 0) this.#worker.unref();
    if ('error' in message) {
      order?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    } else order?.resolve(message.result);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const order of this.#pending.splice(0)) order.reject(this.#failure);
  }
}
