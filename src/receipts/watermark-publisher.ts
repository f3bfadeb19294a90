import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../model/clock.js';
import { RateLimitedLog } from '../model/rate-limited-log.js';
import type { WriterRegistry } from './writer-registry.js';

const PUBLISH_MS = 5000;

/** Maximum time to register at the start, because a busy store may be slow. */
const REGISTER_MS = 10_000;

const RETRY_MS = 200;

/**
 * Returns the watermark: the instant before which all received requests are recorded in the store. Null while none can be
 * published.
 * @param now milliseconds since 1970
 */
export type ReadWatermark = (now: number) => number | null;

/** Publishes the watermark of this process in the registry of writers, so that commands know which days are complete. */
export class WatermarkPublisher {
  readonly id = randomBytes(8).toString('hex');
  #watermark: ReadWatermark = () => null;
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

  /** Registers this process. @throws Error if that fails: an unregistered process must not record usage */
  async start(watermark: ReadWatermark): Promise<void> {
    this.#watermark = watermark;
    await this.#register();
    this.#timer = setInterval(() => {
      this.#publishing ??= this.#save()
        .catch((error: unknown) => void this.#log.warn({ err: error }))
        .finally(() => (this.#publishing = null));
    }, PUBLISH_MS).unref();
  }

  async publish(): Promise<void> {
    await this.#publishing;
    await this.#save();
  }

  /**
   * Leaves the registry if all records are settled; otherwise the last watermark stays.
   * @returns whether this process was removed from the registry
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

  /** @param byDefault saved if there is no watermark */
  async #save(byDefault: number | null = null): Promise<void> {
    // In a turn of its own: in this one, a request may have been received but not yet counted in flight.
    await nextTurn();
    const now = this.clock.now();
    const settledUntil = this.#watermark(now) ?? byDefault;
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
