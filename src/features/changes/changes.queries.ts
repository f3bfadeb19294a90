import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DOCUMENT } from '../../database/columns.js';
import { Database } from '../../database/database.js';
import { DeletedRecordEntity } from '../../database/deleted-record.entity.js';
import type { KeysetList } from '../../database/keyset.js';
import type { EntityClass, Select } from '../../database/statements.js';
import { platformCode } from '../../model/platforms.js';
import { DOCUMENT_ENTITIES } from '../analysis/analysis.entities.js';
import { ContentEntity } from '../content/content.entity.js';
import { GameEntity } from '../games/game.entity.js';
import { ProfileEntity } from '../profiles/profile.entity.js';
import type { FeedPosition } from './change-cursor.js';
import { feedScope, RESTORE_COUNTER, revisionCounter, type ChangedKind, type Feed, type FeedState } from './feeds.js';

/** Change of a record; a deletion has no document. */
export interface Change {
  readonly id: string;
  readonly revision: number;
  /** Order of the changes of a revision. */
  readonly key: string;
  /** Milliseconds since 1970; 0 if unknown. */
  readonly changedAt: number;
  /** Sortable date of the document; undefined for kinds without one. */
  readonly updatedAt: number | undefined;
  readonly document: Buffer | null;
}

/** Row of a table with a feed: values by column. */
type RevisedRow = Readonly<Record<string, unknown>>;

interface FeedTable {
  readonly entity: EntityClass<object>;
  readonly id: string;
  /** Column that orders the records of a revision. */
  readonly key: string;
  readonly hasDate: boolean;
}

const documentTable = (entity: EntityClass<object>, hasDate: boolean): FeedTable => ({
  entity,
  id: 'profile_id',
  key: 'profile_id',
  hasDate,
});

const TABLES: Readonly<Record<ChangedKind, FeedTable>> = {
  profiles: { entity: ProfileEntity, id: 'id', key: 'id', hasDate: false },
  content: { entity: ContentEntity, id: 'content_id', key: 'content_id', hasDate: false },
  analysis: documentTable(DOCUMENT_ENTITIES.analysis, true),
  audience: documentTable(DOCUMENT_ENTITIES.audience, true),
  socials: documentTable(DOCUMENT_ENTITIES.socials, false),
  emails: documentTable(DOCUMENT_ENTITIES.emails, true),
  games: { entity: GameEntity, id: 'id', key: 'num', hasDate: false },
};

/** State of a feed, with the revision of its last deletion; null without any. */
interface FeedStateWithDeleted extends FeedState {
  readonly lastDeleted: number | null;
}

/** One statement, so that the three values belong to one state of the store. */
const STATE: Select<Readonly<Record<'latest' | 'mark' | 'last_deleted', number | null>>> = {
  sql:
    'SELECT (SELECT value FROM counters WHERE name = ?) AS latest, (SELECT value FROM counters WHERE name = ?) AS mark, ' +
    '(SELECT MAX(revision) FROM deleted_records WHERE scope = ?) AS last_deleted',
};

/** All queries of the feeds. Everything is read from the primary: a replica may lack a change that another one has. */
@Injectable()
export class ChangesQueries {
  readonly #stored: ReadonlyMap<string, KeysetList<RevisedRow, string>>;
  readonly #deleted: KeysetList<DeletedRecordEntity, 'revision' | 'id'>;
  /** Reads of states that have not begun, by feed. */
  readonly #states = new Map<string, Promise<FeedStateWithDeleted>>();

  constructor(private readonly database: Database) {
    this.#stored = new Map(
      Object.entries(TABLES).map(([kind, { entity, id, key, hasDate }]) => [
        kind,
        database.list<RevisedRow, string, string>({
          entity: entity as EntityClass<RevisedRow>,
          filters: kind === 'games' ? [] : ['platform'],
          keys: ['revision', key],
          columns: [DOCUMENT, 'changed_at', id, ...(hasDate ? ['updated_at'] : [])],
        }),
      ]),
    );
    this.#deleted = database.list({
      entity: DeletedRecordEntity,
      filters: ['scope'],
      keys: ['revision', 'id'],
      columns: ['scope', 'changed_at'],
    });
  }

  /** Reads the state of a feed. Requests of one turn of the event loop share a read, which takes a fifth of a page. */
  readState(feed: Feed): Promise<FeedStateWithDeleted> {
    const name = `${feed.kind} ${feed.platform ?? ''}`;
    let state = this.#states.get(name);
    if (state === undefined) {
      state = nextTurn().then(() => {
        this.#states.delete(name);
        return this.#readState(feed);
      });
      this.#states.set(name, state);
    }
    return state;
  }

  async #readState(feed: Feed): Promise<FeedStateWithDeleted> {
    const values = [revisionCounter(feed.kind), RESTORE_COUNTER, scopeOf(feed)];
    const [state] = await this.database.all(STATE, values, { source: 'primary' });
    const lastDeleted = state?.last_deleted ?? null;
    return {
      latest: Number(state?.latest ?? 0),
      mark: Number(state?.mark ?? 0),
      lastDeleted: lastDeleted === null ? null : Number(lastDeleted),
    };
  }

  /** Reads the changes after a position, and one more than the limit if there are more.
   * @param state that was read before. Transactions commit in the order of their revisions, so all changes up to `latest` are
   * there. Later ones are left out: the two reads see different states of the store, and one could show a change while the other
   * lacks one before it. */
  async readChanges(
    feed: Feed,
    after: FeedPosition,
    { latest, lastDeleted }: FeedStateWithDeleted,
    limit: number,
  ): Promise<Change[]> {
    const [stored, deleted] = await Promise.all([
      this.#readStored(feed, after, latest, limit),
      // Most pages come after the last deletion.
      lastDeleted === null || lastDeleted < after.revision ? [] : this.#readDeleted(feed, after, latest, limit),
    ]);
    if (deleted.length === 0) return stored;
    return [...stored, ...deleted].sort(compareChanges).slice(0, limit + 1);
  }

  async #readStored({ kind, platform }: Feed, after: FeedPosition, latest: number, limit: number): Promise<Change[]> {
    const { id, key, hasDate } = TABLES[kind];
    const list = this.#stored.get(kind);
    if (list === undefined) throw new Error(`there is no feed of ${kind}`);
    const rows = await this.database.page(
      list,
      {
        filters: platform === null ? [] : [platformCode(platform)],
        ...(after.key === null
          ? { from: after.revision + 1 }
          : { after: { revision: after.revision, [key]: after.key } }),
        to: latest,
        limit,
      },
      'primary',
    );
    return rows.map((row) => ({
      id: String(row[id]),
      revision: Number(row.revision),
      key: String(row[key]),
      changedAt: Number(row.changed_at),
      updatedAt: hasDate ? Number(row.updated_at) : undefined,
      document: row[DOCUMENT] as Buffer,
    }));
  }

  async #readDeleted(feed: Feed, after: FeedPosition, latest: number, limit: number): Promise<Change[]> {
    const rows = await this.database.page(
      this.#deleted,
      {
        filters: [scopeOf(feed)],
        ...(after.key === null ? { from: after.revision + 1 } : { after: { revision: after.revision, id: after.key } }),
        to: latest,
        limit,
      },
      'primary',
    );
    return rows.map(({ id, revision, changed_at }) => ({
      id: String(id),
      revision,
      key: String(id),
      changedAt: changed_at,
      updatedAt: undefined,
      document: null,
    }));
  }
}

/** Returns the scope of a feed's deletions; null for games, which are never deleted. */
const scopeOf = ({ kind, platform }: Feed): number | null =>
  platform === null || kind === 'games' ? null : feedScope(kind, platform);

/** Compares by revision and the bytes of the key, as the indexes do. */
const compareChanges = (a: Change, b: Change): number =>
  a.revision - b.revision || Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
