import type { Category, Chapter } from '../../features/content/content.js';
import type { AssembledRecord, AssembledKind } from '../../sources/assemble/assembly.js';
import type { FindCategory } from '../../sources/assemble/categories.js';
import type { Snapshot } from '../../sources/assemble/fragment-store.js';
import { mergeSnapshots } from '../../sources/assemble/viewer-statistics.js';
import { latestObservation, observe, UNDATED, type Members } from '../../sources/assemble/observations.js';
import { createContentDraft, createGameDraft, createProfileDraft, type Draft } from '../../sources/assemble/drafts.js';
import { UNOBSERVED, type ObservationState } from './observation-state.js';

/** Time of imported members, whose observation time is unknown. Every observation is newer. */
export const IMPORTED = -2;

/** How far the clocks of machines that observe may differ. */
export const CLOCK_SKEW_MS = 3_600_000;

/** Members that identify a record, or are derived from its observations. They are not merged. */
const UNMERGED: Readonly<Record<AssembledKind, readonly string[]>> = {
  profiles: ['platform_id', 'id', 'updated_at'],
  content: ['platform', 'content_id'],
  games: ['id'],
};

/** Statistics that are computed from the snapshots of a stream. */
const SNAPSHOT_STATISTICS = ['viewers', 'watched_minutes'];

/** A stored record with the state of its observations. */
export interface StoredRecord {
  readonly document: Readonly<Record<string, unknown>>;
  readonly state: ObservationState;
}

/** A record merged from its stored version and a run. */
export interface MergedRecord {
  readonly members: Members;
  readonly snapshots: readonly Snapshot[];
  readonly draft: (find: FindCategory) => Draft;
}

/**
 * Merges a record of a run into its stored version. Only known members overwrite, and the newest observation wins. A stored
 * time in the future was noted by a wrong clock: it must not keep members as they are until then.
 * @param now the time of responses that do not name one
 */
export function mergeRecord(assembled: AssembledRecord, stored: StoredRecord | null, now: number): MergedRecord {
  const { kind, platform, id } = assembled;
  const { times: noted, snapshots: known } = stored?.state ?? UNOBSERVED;
  const isAhead = (at: number) => at > now + CLOCK_SKEW_MS;
  const wrong = new Set([...noted.values()].filter(isAhead));
  const times = wrong.size === 0 ? noted : new Map([...noted].filter(([, at]) => !isAhead(at)));
  const snapshots = known.length === 0 ? assembled.snapshots : mergeSnapshots(known, assembled.snapshots);
  // If other responses have a time, an undated one yields to them.
  const undatedAt = latestObservation(assembled.members) === UNDATED ? now : 0;
  const members = stored === null ? new Map() : membersOf(kind, stored.document, times, known.length > 0);
  for (const [name, { at, value }] of assembled.members) {
    // A supplement that implies another type does not change the type of a stream.
    if (name === 'type' && assembled.fragments === 0 && stored?.document.type === 'stream') continue;
    observe(members, name, { at: at === UNDATED ? undatedAt : at, value });
  }
  if (kind === 'games') return { members, snapshots, draft: () => createGameDraft(id, members) };
  if (kind === 'profiles') {
    const storedAt = instantOf(stored?.document.updated_at);
    const updatedAt = Math.max(latestObservation(assembled.members), wrong.has(storedAt) ? UNDATED : storedAt);
    return { members, snapshots, draft: () => createProfileDraft(platform, id, members, updatedAt) };
  }
  const storedCategories = categoriesIn(stored?.document);
  return {
    members,
    snapshots,
    draft: (find) =>
      createContentDraft(platform, id, members, snapshots, (on, category, isGame) => {
        const [found, previous] = [find(on, category, isGame), storedCategories.get(category)];
        return found === null || previous === undefined
          ? (found ?? previous ?? null)
          : {
              name: found.name ?? previous.name,
              gamedb_id: found.gamedb_id ?? previous.gamedb_id,
              gamedb_name: found.gamedb_name ?? previous.gamedb_name,
              gamedb_slug: found.gamedb_slug ?? previous.gamedb_slug,
            };
      }),
  };
}

const instantOf = (dateTime: unknown): number => (typeof dateTime === 'string' ? Date.parse(dateTime) : UNDATED);

/** Returns the members of a stored record. A null counts as known only if it was observed. */
function membersOf(
  kind: AssembledKind,
  document: StoredRecord['document'],
  times: ReadonlyMap<string, number>,
  hasSnapshots: boolean,
): Members {
  const members: Members = new Map();
  const add = (name: string, value: unknown) => {
    const at = times.get(name);
    if (at !== undefined || !isEmpty(value)) members.set(name, { at: at ?? IMPORTED, value });
  };
  for (const name in document) {
    if (name !== 'statistics' && !UNMERGED[kind].includes(name)) add(name, document[name]);
  }
  const statistics = (document.statistics ?? {}) as Readonly<Record<string, unknown>>;
  for (const name in statistics) {
    if (!(hasSnapshots && SNAPSHOT_STATISTICS.includes(name))) add(`statistics.${name}`, statistics[name]);
  }
  // Statistics that were observed as unknown are missing from the document.
  for (const name of times.keys()) if (!members.has(name)) add(name, null);
  return members;
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Returns the categories of a stored content item by ID. */
function categoriesIn(document: StoredRecord['document'] | undefined): Map<string, Category> {
  const lists = document as { categories?: Category[]; chapters?: Chapter[] } | undefined;
  const all = [...(lists?.categories ?? []), ...(lists?.chapters ?? []).flatMap(({ categories }) => categories)];
  return new Map(all.map((category) => [category.id, category]));
}
