import { Injectable } from '@nestjs/common';
import { CounterEntity } from '../../database/counter.entity.js';
import { Database } from '../../database/database.js';
import { DeletedRecordEntity } from '../../database/deleted-record.entity.js';
import { installationId } from '../../database/installation-secret.js';
import type { KeysetList } from '../../database/keyset.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { EntityClass } from '../../database/statements.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { DOCUMENT_ENTITIES } from '../analysis/analysis.entities.js';
import { FEED_KINDS, feedScope, RESTORE_COUNTER, revisionCounter, type FeedKind } from '../changes/feeds.js';
import { ContentEntity } from '../content/content.entity.js';
import { ProfileEntity } from '../profiles/profile.entity.js';
import { hasGames } from './index-records.js';

/** Changed records per read. */
const PAGE = 1000;

/** State of the store, as far as the index depends on it. */
export interface StoreState {
  /** Identifier of the store. */
  readonly store: string;
  /** Changes when the store is restored from a back-up. */
  readonly mark: number;
  /** Revision of the last change by kind. */
  readonly revisions: Readonly<Record<FeedKind, number>>;
}

/** Creators whose index entries may have changed. */
export interface ChangedCreators {
  readonly ids: ReadonlySet<string>;
  /** Whether the index must be built again: its files still have deleted creators, and deleted content no longer names its creator. */
  readonly hasDeleted: boolean;
}

type ChangedRow = Readonly<Record<string, unknown>>;

interface IndexFeed {
  readonly list: KeysetList<ChangedRow, string>;
  /** Column with the ID of the creator. */
  readonly creator: string;
}

/** Column that orders the changes of a revision, and the column with the creator's ID. */
const COLUMNS: Readonly<Record<FeedKind, { readonly entity: EntityClass<object>; key: string; creator: string }>> = {
  profiles: { entity: ProfileEntity, key: 'id', creator: 'id' },
  content: { entity: ContentEntity, key: 'content_id', creator: 'profile_id' },
  analysis: { entity: DOCUMENT_ENTITIES.analysis, key: 'profile_id', creator: 'profile_id' },
  audience: { entity: DOCUMENT_ENTITIES.audience, key: 'profile_id', creator: 'profile_id' },
  socials: { entity: DOCUMENT_ENTITIES.socials, key: 'profile_id', creator: 'profile_id' },
  emails: { entity: DOCUMENT_ENTITIES.emails, key: 'profile_id', creator: 'profile_id' },
};

/** Finds what changed in the store since a revision. Everything is read from the primary. */
@Injectable()
export class IndexFeeds {
  #store: string | null = null;
  readonly #counters: RecordLoader<CounterEntity, 'name', 'value'>;
  readonly #feeds: Readonly<Record<FeedKind, IndexFeed>>;
  readonly #deleted: KeysetList<Pick<DeletedRecordEntity, 'scope' | 'revision' | 'id'>, 'revision' | 'id'>;

  constructor(private readonly database: Database) {
    this.#counters = new RecordLoader(
      database,
      { entity: CounterEntity, group: null, id: 'name', columns: ['value'] },
      { source: 'primary' },
    );
    this.#feeds = Object.fromEntries(FEED_KINDS.map((kind) => [kind, this.#createFeed(kind)])) as Record<
      FeedKind,
      IndexFeed
    >;
    this.#deleted = database.list({
      entity: DeletedRecordEntity,
      filters: ['scope'],
      keys: ['revision', 'id'],
      columns: ['scope'],
    });
  }

  async readState(): Promise<StoreState> {
    this.#store ??= await installationId(this.database);
    const found = await this.#counters.findMany(null, [...FEED_KINDS.map(revisionCounter), RESTORE_COUNTER]);
    const values = found.map((counter) => counter?.value ?? 0);
    return {
      store: this.#store,
      mark: values.at(-1) ?? 0,
      revisions: Object.fromEntries(FEED_KINDS.map((kind, index) => [kind, values[index] ?? 0])) as Record<
        FeedKind,
        number
      >,
    };
  }

  /** Finds the creators of a platform that changed between two states. @param since revisions that the index has */
  async readChanged(
    platform: Platform,
    since: Readonly<Record<string, number>>,
    { revisions }: StoreState,
  ): Promise<ChangedCreators> {
    const ids = new Set<string>();
    let hasDeleted = false;
    for (const kind of FEED_KINDS) {
      const [from, to] = [(since[kind] ?? 0) + 1, revisions[kind]];
      if (from > to || (kind === 'content' && !hasGames(platform))) continue;
      const { list, creator } = this.#feeds[kind];
      for await (const rows of this.database.pages(list, {
        filters: [platformCode(platform)],
        from,
        to,
        limit: PAGE,
      })) {
        for (const { [creator]: id } of rows) if (id !== null) ids.add(String(id as string | Buffer));
      }
      const deletions = { filters: [feedScope(kind, platform)], from, to, limit: PAGE };
      for await (const rows of this.database.pages(this.#deleted, deletions)) {
        if (kind === 'profiles' || kind === 'content') hasDeleted ||= rows.length > 0;
        if (kind !== 'content') for (const { id } of rows) ids.add(String(id));
      }
    }
    return { ids, hasDeleted };
  }

  #createFeed(kind: FeedKind): IndexFeed {
    const { entity, key, creator } = COLUMNS[kind];
    const list = this.database.list<ChangedRow, string, string>({
      entity: entity as EntityClass<ChangedRow>,
      filters: ['platform'],
      keys: ['revision', key],
      columns: [creator],
    });
    return { list, creator };
  }
}
