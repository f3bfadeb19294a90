import { platformCode, platformOf, type Platform } from '../../model/platforms.js';
import { foldHandle, withoutAt } from '../../features/profiles/handle.js';
import { ChapterGames } from './chapter-games.js';
import { categoriesOfRun, type FindCategory } from './categories.js';
import type { Join, Joined, Snapshot } from './join.js';
import { newestOf, observe, valueOf, type Members } from './members.js';
import { contentDraft, gameDraft, linkGame, profileDraft, proveForm, type Draft } from './records.js';
import { mutualLinks } from './socials.js';

/** The kinds of records that are made of fragments, in the order they are assembled: later ones need the earlier ones. */
export const ASSEMBLED_KINDS = ['games', 'content', 'profiles'] as const;

export type AssembledKind = (typeof ASSEMBLED_KINDS)[number];

/** What the run knows of one record. */
export interface Assembled extends Joined {
  readonly kind: AssembledKind;
  readonly snapshots: readonly Snapshot[];
}

const NO_SNAPSHOTS: readonly Snapshot[] = [];

/** Makes records of the fragments of a run. */
export class Assembly {
  readonly findCategory: FindCategory;
  readonly chapterGames: ChapterGames;
  readonly #hasChapters: boolean;
  readonly #hasForms: boolean;
  readonly #hasSnapshots: boolean;
  readonly #hasLinks: boolean;
  readonly #hasActivity: boolean;
  readonly #hasHandles: boolean;

  /** @param join with all fragments */
  constructor(private readonly join: Join) {
    this.findCategory = categoriesOfRun(join);
    this.chapterGames = new ChapterGames(join);
    this.#hasChapters = this.chapterGames.isNeeded;
    // Most runs have only some kinds of fragments: what is not there need not be asked for at each record.
    const has = (table: string) => join.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined;
    this.#hasForms = has('forms');
    this.#hasSnapshots = has('snapshots');
    this.#hasLinks = has('links');
    this.#hasActivity = has('activity');
    this.#hasHandles = has("activity WHERE handle <> ''");
  }

  /** All records of a kind by platform and ID. */
  *records(kind: AssembledKind): Generator<Assembled> {
    if (kind === 'content') this.chapterGames.addThoseOfRun();
    const joined = kind === 'content' ? this.join.content() : this.join.records(kind);
    for (const record of joined) yield this.#completed(kind, record);
  }

  /** What the run knows of records that it has no fragment of: it is worth something only beside a stored version. */
  *supplements(kind: 'content' | 'profiles'): Generator<Assembled> {
    for (const { platform, id } of this.join.rows<Key>(SUPPLEMENTS[kind])) {
      const members: Members = new Map();
      const record = { platform: platformOf(platform), id, members, origin: 0, fragments: 0, handle: null };
      yield this.#completed(kind, record);
    }
  }

  /** Links that both creators make. Call it when the profiles were read. */
  socials(): Generator<Draft> {
    return mutualLinks(this.join);
  }

  #completed(kind: AssembledKind, record: Joined): Assembled {
    const { platform, id, members } = record;
    let snapshots = NO_SNAPSHOTS;
    if (kind === 'games') this.#completeGame(id, members);
    else if (kind === 'profiles') this.#completeProfile(platform, id, members);
    else {
      if (this.#hasChapters) this.chapterGames.complete(members);
      if (this.#hasForms) proveForm(this.join, platform, id, members);
      if (this.#hasSnapshots) snapshots = this.join.snapshots(platform, id);
    }
    // Not a copy: there may be millions.
    return Object.assign(record, { kind, snapshots });
  }

  #completeGame(id: string, members: Members): void {
    linkGame(this.join, id, members);
    this.join.run(
      'INSERT OR REPLACE INTO known_games VALUES (?, ?, ?)',
      id,
      valueOf<string>(members, 'name'),
      valueOf<string>(members, 'slug'),
    );
  }

  #completeProfile(platform: Platform, id: string, members: Members): void {
    const code = platformCode(platform);
    const name = valueOf<string>(members, 'name');
    const activeAt = this.#hasActivity ? this.#lastActivity(platform, id, name) : null;
    if (activeAt !== null) {
      // The time of the items says nothing about when the profile was observed.
      const at = members.get('last_active_at')?.at ?? -1;
      observe(members, 'last_active_at', { at, value: new Date(activeAt).toISOString() });
    }
    if (!this.#hasLinks || members.size === 0) return;
    const followers = valueOf<number>(members, 'statistics.followers');
    this.join.run('INSERT OR REPLACE INTO known_profiles VALUES (?, ?, ?, ?)', code, id, name, followers);
  }

  #lastActivity(platform: Platform, id: string, name: string | null): number | null {
    const sql = 'SELECT max(at) AS at FROM activity WHERE platform = ? AND id = ? AND handle = ?';
    const latest = (by: string, handle: string) =>
      this.join.get<{ at: number | null }>(sql, platformCode(platform), by, handle)?.at ?? null;
    const ofId = latest(id, '');
    const ofHandle =
      this.#hasHandles && name !== null && this.join.idOfHandle(platform, name) === id
        ? latest('', foldHandle(withoutAt(name)))
        : null;
    return ofId === null || ofHandle === null ? (ofId ?? ofHandle) : Math.max(ofId, ofHandle);
  }
}

interface Key {
  readonly platform: number;
  readonly id: string;
}

const SUPPLEMENTS = {
  content: `
    SELECT platform, id FROM (SELECT platform, id FROM forms UNION SELECT platform, id FROM snapshots)
    EXCEPT SELECT platform, id FROM content ORDER BY platform, id`,
  profiles: `
    SELECT platform, id FROM activity WHERE id <> '' EXCEPT SELECT platform, id FROM profiles ORDER BY platform, id`,
};

/** A record as the import reads it. */
export function draftOf(record: Assembled, find: FindCategory): Draft {
  const { kind, platform, id, members, snapshots } = record;
  if (kind === 'games') return gameDraft(id, members);
  if (kind === 'profiles') return profileDraft(platform, id, members, newestOf(members));
  return contentDraft(platform, id, members, snapshots, find);
}
