import { platformCode, platformFromCode, type Platform } from '../../model/platforms.js';
import { foldHandle, stripAt } from '../../features/profiles/handle.js';
import { ChapterGames } from './chapter-games.js';
import { createCategoryFinder, type FindCategory } from './categories.js';
import type { FragmentStore, Snapshot } from './fragment-store.js';
import type { MergedFragments } from './merge-rows.js';
import { latestObservation, observe, memberValue, type Members } from './observations.js';
import {
  createContentDraft,
  createGameDraft,
  applyGameLinks,
  createProfileDraft,
  applyTypeProof,
  type Draft,
} from './drafts.js';
import { findMutualLinks } from './mutual-links.js';

/** Kinds of records assembled from fragments, in order: each kind needs the kinds before it. */
export const ASSEMBLED_KINDS = ['games', 'content', 'profiles'] as const;

export type AssembledKind = (typeof ASSEMBLED_KINDS)[number];

/** One record as the run knows it. */
export interface AssembledRecord extends MergedFragments {
  readonly kind: AssembledKind;
  readonly snapshots: readonly Snapshot[];
}

const NO_SNAPSHOTS: readonly Snapshot[] = [];

/** Assembles records from the fragments of a run. */
export class Assembly {
  readonly findCategory: FindCategory;
  readonly chapterGames: ChapterGames;
  readonly #hasChapters: boolean;
  readonly #hasContentTypes: boolean;
  readonly #hasSnapshots: boolean;
  readonly #hasLinks: boolean;
  readonly #hasActivity: boolean;
  readonly #hasHandles: boolean;

  /** @param store the store, after all fragments were added */
  constructor(private readonly store: FragmentStore) {
    this.findCategory = createCategoryFinder(store);
    this.chapterGames = new ChapterGames(store);
    this.#hasChapters = this.chapterGames.hasUnmatchedChapters;
    // Most runs lack some kinds of fragments: do not query their tables for each record.
    const has = (table: string) => store.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined;
    this.#hasContentTypes = has('content_types');
    this.#hasSnapshots = has('snapshots');
    this.#hasLinks = has('links');
    this.#hasActivity = has('activity');
    this.#hasHandles = has("activity WHERE handle <> ''");
  }

  /** Yields all records of a kind, sorted by platform and ID. */
  *records(kind: AssembledKind): Generator<AssembledRecord> {
    if (kind === 'content') this.chapterGames.addGamesOfRun();
    const joined = kind === 'content' ? this.store.content() : this.store.records(kind);
    for (const record of joined) yield this.#complete(kind, record);
  }

  /** Yields records without a fragment in this run, but with snapshots or activity that can update a stored version. */
  *supplements(kind: 'content' | 'profiles'): Generator<AssembledRecord> {
    for (const { platform, id } of this.store.rows<RecordKey>(SUPPLEMENTS[kind])) {
      yield this.supplement(kind, platformFromCode(platform), id);
    }
  }

  /** Creates a record without a fragment in this run, to update a stored version. */
  supplement(kind: 'content' | 'profiles', platform: Platform, id: string): AssembledRecord {
    const members: Members = new Map();
    return this.#complete(kind, { platform, id, members, origin: 0, fragments: 0, handle: null, days: null });
  }

  /** Returns the platforms of which the run has names of categories, but no content. */
  platformsWithNamesOnly(): Platform[] {
    return Array.from(this.store.rows<{ platform: number }>(NAMES_ONLY), ({ platform }) => platformFromCode(platform));
  }

  /** Returns the mutual links between creators. Call it after the profiles were read. */
  mutualLinks(): Generator<Draft> {
    return findMutualLinks(this.store);
  }

  #complete(kind: AssembledKind, record: MergedFragments): AssembledRecord {
    const { platform, id, members } = record;
    let snapshots = NO_SNAPSHOTS;
    if (kind === 'games') this.#completeGame(id, members);
    else if (kind === 'profiles') this.#completeProfile(platform, id, members);
    else {
      if (this.#hasChapters) this.chapterGames.complete(members);
      if (this.#hasContentTypes) applyTypeProof(this.store, platform, id, members);
      if (this.#hasSnapshots) snapshots = this.store.snapshots(platform, id);
    }
    // Extends the record instead of copying it, because a run may have millions.
    return Object.assign(record, { kind, snapshots });
  }

  #completeGame(id: string, members: Members): void {
    applyGameLinks(this.store, id, members);
    this.store.run(
      'INSERT OR REPLACE INTO known_games VALUES (?, ?, ?)',
      id,
      memberValue<string>(members, 'name'),
      memberValue<string>(members, 'slug'),
    );
  }

  #completeProfile(platform: Platform, id: string, members: Members): void {
    const code = platformCode(platform);
    const name = memberValue<string>(members, 'name');
    const activeAt = this.#hasActivity ? this.#lastActivity(platform, id, name) : null;
    if (activeAt !== null) {
      // Keep the observation time of the profile: the time of an item is not one.
      const at = members.get('last_active_at')?.at ?? -1;
      observe(members, 'last_active_at', { at, value: new Date(activeAt).toISOString() });
    }
    if (!this.#hasLinks || members.size === 0) return;
    const followers = memberValue<number>(members, 'statistics.followers');
    this.store.run('INSERT OR REPLACE INTO known_profiles VALUES (?, ?, ?, ?)', code, id, name, followers);
  }

  #lastActivity(platform: Platform, id: string, name: string | null): number | null {
    const sql = 'SELECT max(at) AS at FROM activity WHERE platform = ? AND id = ? AND handle = ?';
    const latest = (authorId: string, handle: string) =>
      this.store.get<{ at: number | null }>(sql, platformCode(platform), authorId, handle)?.at ?? null;
    const byId = latest(id, '');
    const byHandle =
      this.#hasHandles && name !== null && this.store.findIdByHandle(platform, name) === id
        ? latest('', foldHandle(stripAt(name)))
        : null;
    return byId === null || byHandle === null ? (byId ?? byHandle) : Math.max(byId, byHandle);
  }
}

interface RecordKey {
  readonly platform: number;
  readonly id: string;
}

const NAMES_ONLY = 'SELECT platform FROM category_names EXCEPT SELECT platform FROM content';

const SUPPLEMENTS = {
  content: `
    SELECT platform, id FROM (SELECT platform, id FROM content_types UNION SELECT platform, id FROM snapshots)
    EXCEPT SELECT platform, id FROM content ORDER BY platform, id`,
  profiles: `
    SELECT platform, id FROM activity WHERE id <> '' EXCEPT SELECT platform, id FROM profiles ORDER BY platform, id`,
};

/** Creates the record in the shape that the import reads. */
export function createDraft(record: AssembledRecord, find: FindCategory): Draft {
  const { kind, platform, id, members, snapshots } = record;
  if (kind === 'games') return createGameDraft(id, members);
  if (kind === 'profiles') return createProfileDraft(platform, id, members, latestObservation(members));
  return createContentDraft(platform, id, members, snapshots, find);
}
