import type { Category, Chapter } from '../../features/content/content.js';
import type { Assembled, AssembledKind } from '../../sources/assemble/assembly.js';
import type { FindCategory } from '../../sources/assemble/categories.js';
import type { Snapshot } from '../../sources/assemble/join.js';
import { unionOf } from '../../sources/assemble/live.js';
import { newestOf, observe, UNDATED, type Members } from '../../sources/assemble/members.js';
import { contentDraft, gameDraft, profileDraft, type Draft } from '../../sources/assemble/records.js';
import { UNOBSERVED, type ObservationState } from './state.js';

/** A member of a record that was imported: nobody says when it was observed, so anything newer is. */
const IMPORTED = -2;

/** Members that make up a record's identity, or are made of its observations. */
const OWN: Readonly<Record<AssembledKind, readonly string[]>> = {
  profiles: ['platform_id', 'id', 'updated_at'],
  content: ['platform', 'content_id'],
  games: ['id'],
};

/** Counts that looks at a stream make. */
const OF_SNAPSHOTS = ['viewers', 'watched_minutes'];

/** A record as it is stored, with what is remembered of its observations. */
export interface StoredRecord {
  readonly document: Readonly<Record<string, unknown>>;
  readonly state: ObservationState;
}

/** What is known of a record after a run. */
export interface Merged {
  readonly members: Members;
  readonly snapshots: readonly Snapshot[];
  readonly draft: (find: FindCategory) => Draft;
}

/**
 * Lays what a run knows over what is stored: only what a source knows overwrites, and the newest observation wins.
 * @param now when a response counts as received that does not say when it was
 */
export function merge(assembled: Assembled, stored: StoredRecord | null, now: number): Merged {
  const { kind, platform, id } = assembled;
  const { times, snapshots: known } = stored?.state ?? UNOBSERVED;
  const snapshots = known.length === 0 ? assembled.snapshots : unionOf(known, assembled.snapshots);
  // Beside answers with a time, one without is what counts where nothing else does.
  const undatedAt = newestOf(assembled.members) === UNDATED ? now : 0;
  const members = stored === null ? new Map() : membersOf(kind, stored.document, times, known.length > 0);
  for (const [name, { at, value }] of assembled.members) {
    // A list that proves another form does not make a broadcast something else.
    if (name === 'type' && assembled.fragments === 0 && stored?.document.type === 'stream') continue;
    observe(members, name, { at: at === UNDATED ? undatedAt : at, value });
  }
  if (kind === 'games') return { members, snapshots, draft: () => gameDraft(id, members) };
  if (kind === 'profiles') {
    const updatedAt = Math.max(newestOf(assembled.members), instantOf(stored?.document.updated_at));
    return { members, snapshots, draft: () => profileDraft(platform, id, members, updatedAt) };
  }
  const before = categoriesIn(stored?.document);
  return {
    members,
    snapshots,
    draft: (find) =>
      contentDraft(platform, id, members, snapshots, (on, category, isGame) => {
        const [found, stayed] = [find(on, category, isGame), before.get(category)];
        return found === null || stayed === undefined
          ? (found ?? stayed ?? null)
          : {
              name: found.name ?? stayed.name,
              gamedb_id: found.gamedb_id ?? stayed.gamedb_id,
              gamedb_name: found.gamedb_name ?? stayed.gamedb_name,
              gamedb_slug: found.gamedb_slug ?? stayed.gamedb_slug,
            };
      }),
  };
}

const instantOf = (dateTime: unknown): number => (typeof dateTime === 'string' ? Date.parse(dateTime) : UNDATED);

/** The members of a stored record. A null is known only if it was observed. */
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
    if (name !== 'statistics' && !OWN[kind].includes(name)) add(name, document[name]);
  }
  const statistics = (document.statistics ?? {}) as Readonly<Record<string, unknown>>;
  for (const name in statistics) {
    if (!(hasSnapshots && OF_SNAPSHOTS.includes(name))) add(`statistics.${name}`, statistics[name]);
  }
  // A count that was observed to be unknown is in no document.
  for (const name of times.keys()) if (!members.has(name)) add(name, null);
  return members;
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** What a stored item's categories are known to be. */
function categoriesIn(document: StoredRecord['document'] | undefined): Map<string, Category> {
  const lists = document as { categories?: Category[]; chapters?: Chapter[] } | undefined;
  const all = [...(lists?.categories ?? []), ...(lists?.chapters ?? []).flatMap(({ categories }) => categories)];
  return new Map(all.map((category) => [category.id, category]));
}
