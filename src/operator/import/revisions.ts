import { CounterEntity } from '../../database/counter.entity.js';
import { readCounters } from '../../database/counters.js';
import type { Writer } from '../../database/database.js';
import { DeletedRecordEntity } from '../../database/deleted-record.entity.js';
import { feedScope, revisionCounter, type ChangedKind, type FeedKind } from '../../features/changes/feeds.js';
import type { PreparedRecord } from './prepared-record.js';

/** Columns of a changed record. */
export interface Revision {
  readonly revision: number;
  readonly changed_at: number;
}

/** Columns of a stored record that tell whether it changes. */
export const VERSION_COLUMNS = ['document', 'revision', 'changed_at'] as const;

/** Stored version of a record. */
export interface StoredVersion extends Revision {
  readonly document: Buffer;
  readonly updated_at?: number;
}

/** Row before its revision is assigned. */
export interface UnrevisedRow {
  readonly document: string;
  readonly updated_at?: number;
}

/** A record and its stored version. */
export interface MatchedRecord<R extends object, S extends object, V extends StoredVersion = StoredVersion> {
  readonly record: PreparedRecord<R, S>;
  readonly version: V;
}

/** Records to write, and the others. */
export interface SelectedRecords<R extends object, S extends object, V extends StoredVersion = StoredVersion> {
  /** Records to write under `revision`, and rewritten ones whose rows have their own. */
  readonly changed: readonly PreparedRecord<R, S>[];
  /** Records that are stored with the same bytes. */
  readonly unchanged: readonly MatchedRecord<R, S, V>[];
  /** Revision of the rows without one of their own; empty if there are none. */
  readonly revision: Partial<Revision>;
}

/**
 * Revisions of one transaction, by which feeds find its changes. All changes of a kind in a transaction have the same revision.
 * It is taken under the writers' lock, so transactions commit in the order of their revisions: a reader that has seen one has seen
 * all before it. Create one per run of a transaction, after `lockData`.
 */
export class Revisions {
  readonly #assigned = new Map<ChangedKind, Promise<Revision>>();
  #hasDeleted: Promise<boolean> | null = null;
  /** Whether a record of the transaction was stored before. */
  hasStored = false;

  /** @param rewrites whether unchanged records are written, too, to derive their columns again. Records keep their revision. Those
   * without one, and all games, get a new one: the game search finds changed rows by it.
   * @param expectsNew whether all records are probably new */
  constructor(
    private readonly writer: Writer,
    private readonly rewrites = false,
    private readonly expectsNew = false,
  ) {}

  /** Whether to insert records before looking for stored versions. */
  get insertsFirst(): boolean {
    return this.expectsNew && !this.hasStored;
  }

  /** Returns the revision of this transaction for a kind. */
  assign(kind: ChangedKind): Promise<Revision> {
    let assigned = this.#assigned.get(kind);
    if (assigned === undefined) this.#assigned.set(kind, (assigned = this.#increment(kind)));
    return assigned;
  }

  /** Selects the records to write. Records that are stored with the same bytes are left out.
   * @param stored finds the stored version of a record
   * @param hasDate whether `updated_at` is part of the record, because the document does not contain it */
  async select<R extends UnrevisedRow, S extends object, V extends StoredVersion>(
    kind: ChangedKind,
    records: readonly PreparedRecord<R, S>[],
    stored: (row: R) => V | undefined,
    hasDate = false,
  ): Promise<SelectedRecords<R, S, V>> {
    const changed: PreparedRecord<R, S>[] = [];
    const unchanged: MatchedRecord<R, S, V>[] = [];
    for (const record of records) {
      const version = stored(record.row);
      if (version !== undefined && isSame(record.row, version, hasDate)) unchanged.push({ record, version });
      else changed.push(record);
    }
    if (!this.rewrites) return { changed, unchanged, revision: changed.length > 0 ? await this.assign(kind) : {} };
    const isKept = ({ version }: MatchedRecord<R, S>) => version.revision > 0 && kind !== 'games';
    const rewritten = unchanged.map((each) => (isKept(each) ? keepRevision(each) : each.record));
    const isNew = changed.length > 0 || !unchanged.every(isKept);
    return { changed: [...rewritten, ...changed], unchanged: [], revision: isNew ? await this.assign(kind) : {} };
  }

  /** Records that records were deleted. @param ids of records that were stored */
  async addDeleted(kind: FeedKind, platform: number, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const revision = await this.assign(kind);
    const scope = feedScope(kind, platform);
    this.#hasDeleted = Promise.resolve(true);
    await this.writer.upsert(
      DeletedRecordEntity,
      ids.map((id) => ({ scope, id, ...revision })),
    );
  }

  /** Forgets that records were deleted, because they are stored again. */
  async removeDeleted(kind: FeedKind, platform: number, ids: readonly string[]): Promise<void> {
    this.#hasDeleted ??= this.writer.has(this.writer.list(ANY_DELETED));
    if (ids.length === 0 || !(await this.#hasDeleted)) return;
    const scope = feedScope(kind, platform);
    // Look them up first: few records were deleted before, and a look-up by ID is cheaper than a DELETE.
    const byId = this.writer.lookup({ entity: DeletedRecordEntity, group: 'scope', id: 'id', columns: ['scope'] });
    await this.writer.remove(DeletedRecordEntity, ['scope', 'id'], await this.writer.findMany(byId, scope, ids));
  }

  async #increment(kind: ChangedKind): Promise<Revision> {
    const name = revisionCounter(kind);
    await this.writer.upsert(CounterEntity, [{ name, value: 1 }], { add: ['value'] });
    const [revision = 0] = await readCounters(this.writer, name);
    if (revision === 0) throw new Error(`the counter ${name} was not stored`);
    return { revision, changed_at: Date.now() };
  }
}

const keepRevision = <R extends object, S extends object>({
  record,
  version: { revision, changed_at },
}: MatchedRecord<R, S>): PreparedRecord<R, S> => ({ ...record, row: { ...record.row, revision, changed_at } });

const ANY_DELETED = {
  entity: DeletedRecordEntity,
  filters: [],
  keys: ['scope', 'id'],
  columns: [],
} as const;

const isSame = (row: UnrevisedRow, stored: StoredVersion, hasDate: boolean): boolean =>
  (!hasDate || stored.updated_at === row.updated_at) && String(stored.document) === row.document;
