import { readFile, stat } from 'node:fs/promises';
import type { Database } from '../../database/database.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode } from '../../model/platforms.js';
import { findForgotten } from '../import/suppression.js';
import { OperatorError } from '../operator-error.js';
import { SOURCE_PLATFORMS, type CreatorSource } from './collect-source.js';
import type { CollectStore } from './collect-store.js';
import { formatDuration } from './duration.js';
import { findCreators } from './same-creator.js';
import { distinctTargets, type Target } from './schedule.js';
import { initialState, type TargetState } from './target-state.js';
import {
  DEFAULT_RETENTION_MS,
  isAcceptedId,
  parseWatchList,
  WatchListError,
  type WatchedCreator,
} from './watch-list.js';

/** Whom to collect. */
export interface WatchOptions {
  readonly watch?: string;
  readonly known?: true;
  /** Interval of creators without their own, in milliseconds. */
  readonly every: number;
}

const MAX_WATCH_BYTES = 64 * 1024 ** 2;

const PAGE_SIZE = 1000;

/** Checks that exactly one of `--watch` and `--known` is given. @throws OperatorError */
export function requireWatch({ watch, known }: WatchOptions): void {
  if ((watch === undefined) === (known === undefined))
    throw new OperatorError(
      'invalid_arguments',
      'name whom to collect: --watch FILE, or --known for all stored profiles',
    );
}

/** Reads whom to collect from some sources. @throws OperatorError for a watch list that cannot be used */
export async function readWatched(
  database: Database,
  sources: readonly CreatorSource[],
  { watch, every }: WatchOptions,
): Promise<WatchedCreator[]> {
  if (watch !== undefined) return (await readWatchFile(watch, every)).filter(({ source }) => sources.includes(source));
  const creators: WatchedCreator[] = [];
  for (const source of sources) {
    const keepMs = DEFAULT_RETENTION_MS[source];
    if (keepMs !== null && every > keepMs) {
      const problem = `--every must not be longer than the ${formatDuration(keepMs)} that ${source} allows`;
      throw new OperatorError('invalid_arguments', `${problem}: shorten it, or use a watch list with "keep"`);
    }
    for await (const target of knownIds(database, source)) {
      creators.push({ source, target, everyMs: every, keepMs });
    }
  }
  return creators;
}

async function readWatchFile(path: string, every: number): Promise<WatchedCreator[]> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR', path });
  if (!stats.isFile() || stats.size > MAX_WATCH_BYTES)
    throw new OperatorError('invalid_file', `${path} is not a regular file of at most 64 MiB`);
  try {
    return parseWatchList(await readFile(path, 'utf8'), /\.csv$/i.test(path), every);
  } catch (error) {
    if (error instanceof WatchListError) throw new OperatorError('invalid_file', `${path}: ${error.message}`);
    throw error;
  }
}

/** Yields the IDs of the stored profiles that the source knows. Other networks may share a platform. */
async function* knownIds(database: Database, source: CreatorSource): AsyncGenerator<string> {
  const list = database.list({ entity: ProfileEntity, filters: ['platform'], keys: ['id'] as const, columns: [] });
  const filters = [platformCode(SOURCE_PLATFORMS[source])];
  for await (const rows of database.pages(list, { filters, limit: PAGE_SIZE })) {
    for (const { id } of rows) if (isAcceptedId(source, String(id))) yield String(id);
  }
}

/** Adds the stored state to the creators of a source. Forgotten creators are left out. */
export async function readTargets(
  database: Database,
  store: CollectStore,
  source: CreatorSource,
  creators: readonly WatchedCreator[],
): Promise<Target[]> {
  const find = findCreators(await store.readStates());
  const targets = creators.map(({ target: watched, everyMs, keepMs }) => {
    const { target, state: stored = initialState(target, everyMs, keepMs) } = find(watched);
    const state: TargetState = { ...stored, everyMs, keepMs };
    const handle = watched.startsWith('@') ? watched.slice(1) : null;
    return { name: target, handle, everyMs, state };
  });
  return distinctTargets(await withoutForgotten(database, source, targets));
}

/** Returns the creators who were ever asked about, with the interval of that time. Forgotten creators are left out. */
export async function readAskedTargets(
  database: Database,
  store: CollectStore,
  source: CreatorSource,
): Promise<Target[]> {
  const states = await store.readStates();
  const find = findCreators(states);
  const targets = [...states.keys()].flatMap((name): Target[] => {
    const { target, state } = find(name);
    return target === name && state !== undefined
      ? [{ name: target, handle: null, everyMs: state.everyMs, state }]
      : [];
  });
  return withoutForgotten(database, source, targets);
}

async function withoutForgotten(
  database: Database,
  source: CreatorSource,
  targets: readonly Target[],
): Promise<Target[]> {
  const platform = platformCode(SOURCE_PLATFORMS[source]);
  const ids = targets.flatMap(({ state: { id } }) => (id === null ? [] : [{ platform, profileId: id }]));
  const isForgotten = await findForgotten(database, ids);
  return targets.filter(({ state: { id } }) => id === null || !isForgotten({ platform, profileId: id }));
}
