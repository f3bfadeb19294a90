import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../../database/database.js';
import { LOGGER } from '../../model/logger.js';
import { OutageLog } from '../../model/outage-log.js';
import { TIMED_OUT, withTimeout } from '../../model/with-timeout.js';
import { IndexBuilder } from './index-builder.js';
import { IndexFeeds, type StoreState } from './index-feeds.js';
import { IndexLock } from './index-lock.js';
import { IndexReader, SEARCH_FOLDER } from './index-reader.js';
import { IndexThread } from './index-thread.js';
import { removeManifest, type Manifest } from './segments/index-folder.mjs';
import { DamagedFileError } from './segments/segment-file.mjs';

/** Interval at which the store is checked for changes. */
const POLL_MS = 1000;

/** Delay after a failure, such as a full disk. */
const RETRY_MS = 3000;

/** Time without a message after which the thread ends, which frees its memory. */
const IDLE_MS = 10_000;

/** Rebuilds purge deleted data. A rebuild waits at least this many times the duration of the last one. */
const MIN_IDLE_PER_BUILD = 20;

/** Smallest interval of such builds. */
const MIN_BUILD_INTERVAL_MS = 3000;

/** Lag above which searches do not wait for the index, as during an import. */
const MAX_AWAITED_LAG_MS = 1000;

/** Interval at which a request looks for an index that another process writes, or that could not be written. */
const INDEX_POLL_MS = 50;

/** Smallest interval of checks of all files because a search failed: a fault of the program would otherwise repeat them. */
const CHECK_INTERVAL_MS = 60_000;

/** Time of failures after which the index is stale: changes must be found within 5 s. */
const STALE_AFTER_MS = 5000;

/** Keeps the index as recent as the store, in one process of the machine. */
@Injectable()
export class IndexFollower implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #lock: IndexLock;
  readonly #outage: OutageLog;
  readonly #shutdown = new AbortController();
  #thread: IndexThread | null = null;
  /** Index as the thread has it open; null if there is none. */
  #manifest: Manifest | null = null;
  #usedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  /** Whether the files of the index were checked, and nothing has failed since. */
  #isVerified = false;
  #doubtedAt = -Infinity;
  /** Whether this process writes the index. */
  #holdsLock = false;
  /** Time since which the store has changes that the index lacks; null without any. */
  #behindSince: number | null = null;
  /** Time of the first failure since the last success; null without one. */
  #failedAt: number | null = null;

  constructor(
    private readonly feeds: IndexFeeds,
    private readonly builder: IndexBuilder,
    private readonly reader: IndexReader,
    @Inject(SEARCH_FOLDER) private readonly folder: string,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#lock = new IndexLock(folder);
    this.#outage = new OutageLog(logger, 'the search index is not current', 'the search index is current again');
  }

  /** Whether the last update succeeded. Without the lock, it only checks that the index is of this store. */
  get isHealthy(): boolean {
    return this.#failedAt === null;
  }

  /** Whether the index has not followed the store for so long that its results are of no use. */
  get isStale(): boolean {
    return this.#failedAt !== null && performance.now() - this.#failedAt > STALE_AFTER_MS;
  }

  /** Time for which the index has lacked changes of the store, in seconds. */
  get lagSeconds(): number {
    return this.#behindSince === null ? 0 : (performance.now() - this.#behindSince) / 1000;
  }

  onApplicationBootstrap(): void {
    void this.#run();
  }

  async onModuleDestroy(): Promise<void> {
    this.#shutdown.abort();
    clearTimeout(this.#timer);
    // Before the update in progress, which then fails: a build may take long.
    await this.#stopThread();
    await this.#running;
    await this.#stopThread();
    this.#lock.release();
  }

  /** Resolves when the index has a state of the store, or after `withinMs`. It resolves at once if the index lags already: otherwise every
   * search would wait during an import. */
  async waitFor(state: StoreState, withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (this.reader.isBehind(state) && this.isHealthy && !this.#shutdown.signal.aborted) {
      const isLagging = !this.#holdsLock || this.lagSeconds * 1000 > MAX_AWAITED_LAG_MS;
      if (isLagging && this.reader.current() !== null) return;
      const left = deadline - performance.now();
      if (left <= 0 || (await withTimeout(this.#run(), left, TIMED_OUT)) === TIMED_OUT) return;
      if (this.reader.isBehind(state)) await sleep(INDEX_POLL_MS);
    }
  }

  /** Reports that a search failed. Whichever process writes the index builds it again if a file is damaged.
   * @param isCurrent whether the search read the current index, not one that was replaced meanwhile */
  doubt(error: Error, isCurrent: boolean): void {
    this.#fail(error);
    if (!isCurrent) return;
    // The process that writes the index misses it. Other errors may come from damage, too, but do not prove it.
    if (error instanceof DamagedFileError) removeManifest(this.folder);
    else if (performance.now() - this.#doubtedAt < CHECK_INTERVAL_MS) return;
    this.#doubtedAt = performance.now();
    this.#isVerified = false;
    void this.#run();
  }

  /** Follows the store once, and schedules the next time. */
  #run(): Promise<void> {
    if (this.#shutdown.signal.aborted) return Promise.resolve();
    this.#running ??= this.#follow().finally(() => (this.#running = null));
    return this.#running;
  }

  async #follow(): Promise<void> {
    clearTimeout(this.#timer);
    let delay = POLL_MS;
    try {
      this.#holdsLock = await this.#lock.acquire();
      if (this.#holdsLock) await this.#update();
      else await this.#useForeignIndex();
      this.#outage.finish();
      this.#failedAt = null;
    } catch (error) {
      if (this.#shutdown.signal.aborted) return;
      // The database has a health check and a log of its own.
      if (!(error instanceof StoreUnavailableError)) {
        this.#fail(error as Error);
        // Errors of the system, such as a full disk, have a code. Others may come from damaged files.
        if (!(error as NodeJS.ErrnoException).code) this.#isVerified = false;
      }
      await this.#stopThread();
      delay = RETRY_MS;
    }
    this.#timer = setTimeout(() => void this.#run(), delay).unref();
  }

  #fail(error: Error): void {
    this.#failedAt ??= performance.now();
    this.#outage.fail({ err: error });
  }

  /** Uses the index that another process writes. @throws Error if it is that of another store */
  async #useForeignIndex(): Promise<void> {
    this.reader.enable();
    const manifest = this.reader.current()?.manifest;
    if (manifest !== undefined && manifest.store !== (await this.feeds.readState()).store) {
      throw new Error(`${this.folder} has the search index of another store: set another DATA_DIR`);
    }
  }

  async #update(): Promise<void> {
    const state = await this.feeds.readState();
    if (!this.#isVerified) await this.#stopThread();
    if (this.#manifest === null) await this.#openThread();
    if (this.#isCurrent(state)) {
      this.#behindSince = null;
      if (performance.now() - this.#usedAt > IDLE_MS) await this.#stopThread(this.#manifest);
      return;
    }
    this.#behindSince ??= performance.now();
    const thread = await this.#openThread();
    this.#manifest = await this.#write(thread, state);
    this.#usedAt = performance.now();
    this.reader.reload();
    if (!this.reader.isBehind(await this.feeds.readState())) this.#behindSince = null;
  }

  #isCurrent(state: StoreState): boolean {
    return this.reader.isOf(state) && !this.reader.isBehind(state) && !this.#needsBuild();
  }

  async #write(thread: IndexThread, state: StoreState): Promise<Manifest> {
    const { signal } = this.#shutdown;
    // Use the state of the reader: the thread may still have deleted or replaced files open.
    const known = this.reader.isOf(state) && !this.#needsBuild() ? this.#manifest : null;
    const followed = known === null ? null : await this.builder.follow(thread, known, state, signal);
    return followed ?? this.builder.build(thread, signal);
  }

  /** Starts the thread. The first one checks the files of the index, and so does one after a failure. */
  async #openThread(): Promise<IndexThread> {
    if (this.#thread !== null && !this.#thread.hasEnded) return this.#thread;
    await this.#stopThread();
    this.#thread = new IndexThread();
    this.#usedAt = performance.now();
    this.#manifest = await this.#thread.send({ type: 'open', folder: this.folder, verifies: !this.#isVerified });
    this.#isVerified = true;
    this.reader.enable();
    return this.#thread;
  }

  /** @param manifest index that the next thread will find in the folder; null if it must look */
  async #stopThread(manifest: Manifest | null = null): Promise<void> {
    this.#manifest = manifest;
    await this.#thread?.stop();
    this.#thread = null;
  }

  #needsBuild(): boolean {
    if (this.#manifest === null || !this.#manifest.hasDeleted) return false;
    const { builtAt, buildSeconds } = this.#manifest;
    return Date.now() - builtAt > Math.max(MIN_BUILD_INTERVAL_MS, buildSeconds * 1000 * MIN_IDLE_PER_BUILD);
  }
}
