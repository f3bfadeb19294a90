import type { StatementSyncInstance } from '@photostructure/sqlite';
import { openTemporaryDatabase, type TemporaryDatabase } from '../../database/sqlite/temporary-database.js';
import { foldHandle, stripAt } from '../../features/profiles/handle.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Author, ContentFragment, Fragment, ProfileFragment, StreamSnapshot } from '../fragment.js';
import { foldTitle, unmatchedTitle } from './chapter-titles.js';
import { observeDay } from './daily-statistics.js';
import { mergeRows, type FragmentRow, type MergedFragments, type FragmentPosition } from './merge-rows.js';
import { observe, UNDATED } from './observations.js';

/** Viewers and game of a live stream at one time. */
export interface Snapshot {
  readonly at: number;
  readonly viewers: number;
  readonly game: { readonly id: string; readonly name: string | null } | null;
}

const SCHEMA = `
  CREATE TABLE profiles (platform INT, id TEXT, at INT, origin INT, known TEXT, handle TEXT);
  CREATE TABLE content (platform INT, id TEXT, at INT, origin INT, known TEXT, author TEXT, handle TEXT);
  CREATE TABLE games (platform INT, id TEXT, at INT, origin INT, known TEXT);
  CREATE TABLE handles (platform INT, handle TEXT, id TEXT, at INT, PRIMARY KEY (platform, handle, id)) WITHOUT ROWID;
  CREATE TABLE activity (platform INT, handle TEXT, id TEXT, at INT, PRIMARY KEY (platform, id, handle)) WITHOUT ROWID;
  CREATE TABLE snapshots (platform INT, id TEXT, at INT, viewers INT, game_id TEXT, game_name TEXT,
    PRIMARY KEY (platform, id, at, viewers, game_id)) WITHOUT ROWID;
  CREATE TABLE game_links (platform INT, platform_id TEXT, game_id TEXT, is_own INT,
    PRIMARY KEY (platform, platform_id, game_id)) WITHOUT ROWID;
  CREATE INDEX game_links_by_game ON game_links (platform, game_id);
  CREATE TABLE category_names (platform INT, id TEXT, name TEXT, PRIMARY KEY (platform, id)) WITHOUT ROWID;
  CREATE TABLE content_types (platform INT, id TEXT, type TEXT, PRIMARY KEY (platform, id, type)) WITHOUT ROWID;
  CREATE TABLE chapter_games (title TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID;
  CREATE TABLE links (platform INT, id TEXT, url TEXT, PRIMARY KEY (platform, id, url)) WITHOUT ROWID;
  CREATE TABLE known_games (id TEXT PRIMARY KEY, name TEXT, slug TEXT) WITHOUT ROWID;
  CREATE TABLE known_profiles (platform INT, id TEXT, name TEXT, followers INT, PRIMARY KEY (platform, id)) WITHOUT ROWID;
`;

const KEEP_LATEST = 'ON CONFLICT DO UPDATE SET at = max(at, excluded.at)';

type FragmentValue = string | number | null;

/** Collects fragments in a temporary database, and merges the fragments of each record. Memory use is constant. */
export class FragmentStore {
  readonly #statements = new Map<string, StatementSyncInstance>();
  private constructor(readonly database: TemporaryDatabase) {
    database.exec(SCHEMA);
    database.exec('BEGIN');
  }

  static async open(): Promise<FragmentStore> {
    return new FragmentStore(await openTemporaryDatabase());
  }

  close(): void {
    this.database.close();
  }

  run(sql: string, ...values: readonly FragmentValue[]): void {
    this.#prepare(sql).run(...values);
  }

  get<R>(sql: string, ...values: readonly FragmentValue[]): R | undefined {
    return this.#prepare(sql).get(...values) as R | undefined;
  }

  all<R>(sql: string, ...values: readonly FragmentValue[]): R[] {
    return this.#prepare(sql).all(...values) as R[];
  }

  #prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.database.prepare(sql)));
    return statement;
  }

  add(fragment: Fragment, origin: FragmentPosition): void {
    switch (fragment.kind) {
      case 'profile':
        return this.#addProfile(fragment, origin);
      case 'content':
        return this.#addContent(fragment, origin);
      case 'snapshot':
        return this.#addSnapshot(fragment);
      case 'game':
        return this.run(
          'INSERT INTO games VALUES (0, ?, ?, ?, ?)',
          fragment.id,
          toMillis(fragment.observedAt),
          origin,
          JSON.stringify(fragment.known),
        );
      case 'game-link':
        return this.run(
          'INSERT INTO game_links VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET is_own = max(is_own, excluded.is_own)',
          platformCode(fragment.platform),
          fragment.platformId,
          fragment.gameId,
          fragment.statedBy === 'platform' ? 1 : 0,
        );
      case 'category-name':
        return this.run(
          'INSERT INTO category_names VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET name = max(name, excluded.name)',
          platformCode(fragment.platform),
          fragment.id,
          fragment.name,
        );
      case 'type-proof':
        return this.run(
          'INSERT OR IGNORE INTO content_types VALUES (?, ?, ?)',
          platformCode(fragment.platform),
          fragment.contentId,
          fragment.type,
        );
      case 'link':
        return this.run(
          'INSERT OR IGNORE INTO links VALUES (?, ?, ?)',
          platformCode(fragment.platform),
          fragment.profileId,
          fragment.url,
        );
      case 'skipped':
      case 'rejected':
        return undefined;
    }
  }

  #addProfile({ platform, id, observedAt, known }: ProfileFragment, origin: FragmentPosition): void {
    const handle = typeof known.name === 'string' && known.name !== '' ? foldHandle(stripAt(known.name)) : null;
    this.run(
      'INSERT INTO profiles VALUES (?, ?, ?, ?, ?, ?)',
      platformCode(platform),
      id,
      toMillis(observedAt),
      origin,
      JSON.stringify(known),
      handle,
    );
  }

  #addContent({ platform, id, observedAt, known, author }: ContentFragment, origin: FragmentPosition): void {
    const code = platformCode(platform);
    const { authorId, handle } = authorColumns(author);
    this.run(
      'INSERT INTO content VALUES (?, ?, ?, ?, ?, ?, ?)',
      code,
      id,
      toMillis(observedAt),
      origin,
      JSON.stringify(known),
      authorId,
      handle,
    );
    for (const chapter of known.chapters ?? []) {
      const title = unmatchedTitle(chapter);
      if (title !== null) this.run('INSERT OR IGNORE INTO chapter_games VALUES (?, NULL)', foldTitle(title));
    }
    const activeAt = Date.parse(known.ended_at ?? known.created_at ?? '');
    if (author === null || Number.isNaN(activeAt)) return;
    this.run(`INSERT INTO activity VALUES (?, ?, ?, ?) ${KEEP_LATEST}`, code, handle ?? '', authorId ?? '', activeAt);
  }

  #addSnapshot({ platform, contentId, at, viewers, game }: StreamSnapshot): void {
    this.run(
      'INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?, ?, ?)',
      platformCode(platform),
      contentId,
      at.getTime(),
      viewers,
      game?.id ?? '',
      game?.name ?? null,
    );
  }

  /** Finds the ID of the profile with this handle; null if no profile of the run has it. */
  findIdByHandle(platform: Platform, handle: string): string | null {
    const sql = 'SELECT id FROM handles WHERE platform = ? AND handle = ? ORDER BY at DESC, id LIMIT 1';
    return this.get<{ id: string }>(sql, platformCode(platform), foldHandle(stripAt(handle)))?.id ?? null;
  }

  /**
   * Indexes the handles of all profiles. Call it after all fragments were added.
   *
   * @returns the number of handles that belong to several IDs
   */
  indexHandles(): number {
    this.run(
      'INSERT INTO handles SELECT platform, handle, id, max(at) FROM profiles WHERE handle IS NOT NULL GROUP BY 1, 2, 3',
    );
    const sql = 'SELECT count(*) AS n FROM (SELECT 1 FROM handles GROUP BY platform, handle HAVING count(*) > 1)';
    return this.get<{ n: number }>(sql)?.n ?? 0;
  }

  /** Yields each profile or game, merged from its fragments, sorted by platform and ID. */
  *records(table: 'profiles' | 'games'): Generator<MergedFragments> {
    const rows = this.rows<FragmentRow>(`SELECT * FROM ${table} ORDER BY platform, id`);
    yield* mergeRows(rows, (record, { at }, known) => {
      if (table === 'profiles') observeDay((record.days ??= new Map()), known, at);
    });
  }

  /** Yields each item, merged from its fragments, sorted by platform and ID. */
  *content(): Generator<MergedFragments> {
    const rows = this.rows<ContentRow>('SELECT * FROM content ORDER BY platform, id');
    yield* mergeRows(rows, (record, { at, author, handle }) => {
      const id = author ?? (handle === null ? null : this.findIdByHandle(record.platform, handle));
      if (id !== null) observe(record.members, 'profile_id', { at, value: id });
      else if (handle !== null && (record.handle === null || handle < record.handle)) record.handle = handle;
    });
  }

  /** Iterates over the rows of a statement. The statement must stay cached: its garbage collection ends the iteration. */
  rows<R>(sql: string): IterableIterator<R> {
    return this.#prepare(sql).iterate() as IterableIterator<R>;
  }

  /** Returns the snapshots of a stream by time; at the same time, the one with the most viewers comes last. */
  snapshots(platform: Platform, contentId: string): Snapshot[] {
    const sql =
      'SELECT at, viewers, game_id, game_name FROM snapshots WHERE platform = ? AND id = ? ORDER BY at, viewers, game_id';
    return this.all<SnapshotRow>(sql, platformCode(platform), contentId).map(({ at, viewers, game_id, game_name }) => ({
      at,
      viewers,
      game: game_id === '' ? null : { id: game_id, name: game_name },
    }));
  }
}

interface ContentRow extends FragmentRow {
  readonly author: string | null;
  readonly handle: string | null;
}

interface SnapshotRow {
  readonly at: number;
  readonly viewers: number;
  readonly game_id: string;
  readonly game_name: string | null;
}

const toMillis = (observedAt: Date | null): number => observedAt?.getTime() ?? UNDATED;

function authorColumns(author: Author | null): { authorId: string | null; handle: string | null } {
  if (author === null) return { authorId: null, handle: null };
  return 'id' in author
    ? { authorId: author.id, handle: null }
    : { authorId: null, handle: foldHandle(stripAt(author.handle)) };
}
