import type { CreatorSource } from '../../../src/operator/collect/collect-source.js';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { readAskedTargets } from '../../../src/operator/collect/collect-targets.js';
import type { Collector } from '../../../src/operator/collect/collector.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import { countCreators, type CreatorCounts } from '../../../src/operator/collect/status.js';
import type { Database } from '../../../src/database/database.js';
import type { ApiServer } from './api-server.js';
import { BlueskyServer } from './bluesky-server.js';
import { IgdbServer } from './igdb-server.js';
import { SimulatedTimer, simulate, watched, type SimulationOptions } from './simulation.js';
import { TwitchServer } from './twitch-server.js';
import { YoutubeServer } from './youtube-server.js';

type Options = Partial<SimulationOptions> & { readonly everyMs?: number };

/** Platforms and collectors in simulated time. */
export class SimulatedSources {
  readonly timer: SimulatedTimer;
  readonly twitch = new TwitchServer();
  readonly youtube = new YoutubeServer();
  readonly bluesky = new BlueskyServer();
  readonly igdb = new IgdbServer();

  private constructor(
    private readonly database: Database,
    time: number,
  ) {
    this.timer = new SimulatedTimer(time);
  }

  static async start(database: Database, time: number): Promise<SimulatedSources> {
    const sources = new SimulatedSources(database, time);
    for (const server of sources.#servers) {
      server.now = sources.timer.now;
      await server.start();
    }
    return sources;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
  }

  /** Creates a collector, as a fresh process would. */
  collector(source: CreatorSource, targets: readonly string[], { everyMs, ...more }: Options = {}): Collector {
    const { database, timer } = this;
    const { environment } = this[source];
    return simulate({ database, source, environment, timer, creators: watched(source, targets, everyMs), ...more });
  }

  /** Runs a collector until nothing is due. */
  async collect(source: CreatorSource, targets: readonly string[], more: Options = {}): Promise<Collector> {
    const collector = this.collector(source, targets, more);
    await collector.run();
    return collector;
  }

  /** Counts the creators who were asked about. */
  async counts(source: CreatorSource): Promise<CreatorCounts> {
    const { database, timer } = this;
    const store = new CollectStore(database, source, timer.now);
    return countCreators(COLLECT_PLATFORMS[source], await readAskedTargets(database, store, source), timer.now());
  }

  /** Calls back before a sleep of a collector, as another process that runs at that time. @param nth which sleep, from 1 */
  timerWith(nth: number, work: () => Promise<unknown>): SimulationOptions['timer'] {
    const { timer } = this;
    let sleeps = 0;
    const sleep: typeof timer.sleep = async (...wait) => {
      sleeps += 1;
      if (sleeps === nth) await work();
      await timer.sleep(...wait);
    };
    return { now: timer.now, sleep, stopping: timer.stopping };
  }

  get #servers(): ApiServer[] {
    return [this.twitch, this.youtube, this.bluesky, this.igdb];
  }
}
