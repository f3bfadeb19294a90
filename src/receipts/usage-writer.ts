import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../model/clock.js';
import { RateLimitedLog } from '../model/rate-limited-log.js';
import type { WriterRegistry } from './writer-registry.js';

/** How often a process publishes its watermark. */
const PUBLISH_MS = 5000;

/** How long the start tries to register: a busy store is slow, not gone. */
const REGISTER_MS = 10_000;

const RETRY_MS = 200;

/**
 * @param now milliseconds since 1970
 * @returns the instant before which everything that was received is in the store; null while nothing can be published
 */
export type Watermark = (now: number) => number | null;

/** This process in the registry of writers: its watermark tells commands which days can still get records of it. */
export class UsageWriter {
  readonly id = randomBytes(8).toString('hex');
  #watermark: Watermark = () => null;
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> | null = null;
  readonly #log: RateLimitedLog;

  constructor(
    private readonly registry: WriterRegistry,
    private readonly clock: Clock,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.#log = new RateLimitedLog(logger, 'the watermark of usage records could not be published');
  }

  /** Registers. @throws Error if the store refuses: a process that commands do not know of must not record anything */
  async start(watermark: Watermark): Promise<void> {
    this.#watermark = watermark;
    await this.#register();
    this.#timer = setInterval(() => {
      this.#publishing ??= this.#save()
        .catch((error: unknown) => this.#log.warn({ err: error }))
        .finally(() => (this.#publishing = null));
    }, PUBLISH_MS).unref();
  }

  /** Publishes the watermark as of now. */
  async publish(): Promise<void> {
    await this.#publishing;
    await this.#save();
  }

  /**
   * Leaves the registry.
   * @param isSettled whether the store has everything that was received; if not, the last watermark stays
   * @returns whether the registry knows nothing of this process any more
   */
  async close(isSettled: boolean): Promise<boolean> {
    clearInterval(this.#timer);
    await this.#publishing;
    if (!isSettled) return false;
    return this.registry.remove(this.id).then(
      () => true,
      () => false,
    );
  }

  async #register(): Promise<void> {
    const deadline = performance.now() + REGISTER_MS;
    for (;;) {
      try {
        await this.#save(0);
        return;
      } catch (error) {
        if (performance.now() + RETRY_MS > deadline) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  /** @param otherwise what is saved as the watermark where there is none */
  async #save(otherwise: number | null = null): Promise<void> {
    // In a turn of its own: within a turn, a request may have been received and not be counted in flight yet.
    await nextTurn();
    const now = this.clock.now();
    const settledUntil = this.#watermark(now) ?? otherwise;
    if (settledUntil === null) return;
    await this.registry.save({
      writer_id: this.id,
      host: hostname(),
      pid: process.pid,
      seen_at: now,
      settled_until: settledUntil,
    });
  }
}
