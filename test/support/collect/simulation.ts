import { ApiClient } from '../../../src/operator/collect/api-client.js';
import { Collector } from '../../../src/operator/collect/collector.js';
import type { CreatorSource } from '../../../src/operator/collect/collect-source.js';
import { readAccess } from '../../../src/operator/collect/collect-settings.js';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { readTargets } from '../../../src/operator/collect/collect-targets.js';
import { GameCollector } from '../../../src/operator/collect/game-collector.js';
import { gameSweeps } from '../../../src/operator/collect/game-pages.js';
import { IGDB } from '../../../src/operator/collect/igdb.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import type { ResponseArchive } from '../../../src/operator/collect/response-archive.js';
import type { Timer } from '../../../src/operator/collect/timer.js';
import type { WatchedCreator } from '../../../src/operator/collect/watch-list.js';
import type { Database } from '../../../src/database/database.js';

/** The process was killed: nothing of it runs on. */
export class Killed extends Error {}

/** Time that passes only while somebody sleeps. */
export class SimulatedTimer implements Timer {
  /** When the process is killed; Infinity: never. */
  killAt = Infinity;
  /** When the run is stopped as by SIGTERM; Infinity: never. */
  stopAt = Infinity;
  stopping = new AbortController();

  constructor(public time: number) {}

  readonly now = (): number => this.time;

  readonly sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const until = this.time + Math.max(0, ms);
    this.time = Math.max(this.time, Math.min(until, this.killAt, this.stopAt));
    if (this.time >= this.stopAt) this.stopping.abort();
    if (this.time >= this.killAt) throw new Killed();
  };
}

export interface SimulationOptions {
  readonly database: Database;
  readonly source: CreatorSource;
  readonly environment: Readonly<Record<string, string>>;
  readonly timer: Timer & { readonly stopping: AbortController };
  readonly creators: readonly WatchedCreator[];
  readonly budget?: number | null;
  readonly isLoop?: boolean;
  /** Called where a kill would lose most: after an answer came, and after it was stored. */
  readonly mayKill?: () => void;
  readonly random?: () => number;
  readonly archive?: ResponseArchive | null;
}

/** Creates a collector that runs in simulated time, as a fresh process would. */
export function simulate({
  database,
  source,
  environment,
  timer,
  creators,
  budget = COLLECT_PLATFORMS[source].limits.unitsPerDay,
  isLoop = false,
  mayKill = () => undefined,
  random = () => 0.5,
  archive = null,
}: SimulationOptions): Collector {
  const client = new ApiClient(source, readAccess(source, environment), timer.now);
  const send = client.send.bind(client);
  client.send = async (request) => {
    const reply = await send(request);
    mayKill();
    return reply;
  };
  const store = new CollectStore(database, source, timer.now);
  const update = store.update.bind(store);
  store.update = (call, change) => {
    mayKill();
    return update(call, change);
  };
  return new Collector({
    platform: COLLECT_PLATFORMS[source],
    client,
    store,
    database,
    timer,
    random,
    budget,
    isLoop,
    archive,
    readTargets: () => readTargets(database, store, source, creators),
    progress: () => undefined,
    message: () => undefined,
    signal: timer.stopping.signal,
  });
}

/** Creates a collector of games that runs in simulated time. */
export function simulateGames({
  database,
  environment,
  timer,
  isAll = false,
  isLoop = false,
}: Pick<SimulationOptions, 'database' | 'environment' | 'timer' | 'isLoop'> & {
  readonly isAll?: boolean;
}): GameCollector {
  return new GameCollector({
    platform: IGDB,
    client: new ApiClient('igdb', readAccess('igdb', environment), timer.now),
    store: new CollectStore(database, 'igdb', timer.now),
    database,
    timer,
    random: () => 0.5,
    budget: null,
    isLoop,
    archive: null,
    progress: () => undefined,
    message: () => undefined,
    signal: timer.stopping.signal,
    sweeps: gameSweeps(isAll),
    everyMs: 7 * 86_400_000,
  });
}

/** Returns creators to watch. */
export const watched = (
  source: CreatorSource,
  targets: readonly string[],
  everyMs = 21_600_000,
  keepMs: number | null = null,
): WatchedCreator[] => targets.map((target) => ({ source, target, everyMs, keepMs }));
