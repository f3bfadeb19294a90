import type { Writer } from '../../database/database.js';
import type { ColumnOf, EntityClass } from '../../database/statements.js';
import type { FeedKind } from '../../features/changes/feeds.js';
import type { PreparedRecord } from './prepared-record.js';
import {
  VERSION_COLUMNS,
  type MatchedRecord,
  type Revision,
  type Revisions,
  type SelectedRecords,
  type StoredVersion,
  type UnrevisedRow,
} from './revisions.js';

/** Table of a kind whose records are identified by platform and ID. @typeParam I column of the ID, V columns to read */
export interface PlatformTable<I extends string, V extends StoredVersion = StoredVersion> {
  readonly kind: FeedKind;
  readonly entity: EntityClass<V & Readonly<Record<I, string>> & { readonly platform: number }>;
  readonly id: I;
  /** Columns to read of stored versions, beside `VERSION_COLUMNS`. */
  readonly columns: readonly ColumnOf<V>[];
  /** Whether `updated_at`, one of the columns, is part of the record, because the document does not contain it. */
  readonly hasDate: boolean;
}

type PlatformRow<I extends string> = UnrevisedRow & Readonly<Record<I, string>> & { readonly platform: number };

/** Selected records, and those that replace a stored version. */
export interface ChangedRecords<R extends object, S extends object, V extends StoredVersion> extends SelectedRecords<
  R,
  S,
  V
> {
  readonly replacing: readonly MatchedRecord<R, S, V>[];
}

/** Selects the records whose stored bytes differ. Removes new ones from `deleted_records`. */
export async function selectChanged<
  I extends string,
  R extends PlatformRow<I>,
  S extends object,
  V extends StoredVersion = StoredVersion,
>(
  writer: Writer,
  revisions: Revisions,
  { kind, entity, id, columns, hasDate }: PlatformTable<I, V>,
  records: readonly PreparedRecord<R, S>[],
): Promise<ChangedRecords<R, S, V>> {
  const byId = writer.lookup({ entity, group: 'platform', id, columns: [...VERSION_COLUMNS, ...columns] });
  const changed: PreparedRecord<R, S>[] = [];
  const unchanged: MatchedRecord<R, S, V>[] = [];
  const replacing: MatchedRecord<R, S, V>[] = [];
  let revision: Partial<Revision> = {};
  for (const platform of new Set(records.map(({ row }) => row.platform))) {
    const ofPlatform = records.filter(({ row }) => row.platform === platform);
    const ids = ofPlatform.map(({ row }) => row[id]);
    const rows = await writer.findMany(byId, platform, ids);
    // The rows have all columns of `V`; TypeScript cannot tell from the names.
    const stored = new Map(rows.map((row) => [String(row[id]), row as unknown as V]));
    revisions.hasStored ||= stored.size > 0;
    const selected = await revisions.select(kind, ofPlatform, (row) => stored.get(row[id]), hasDate);
    const added: string[] = [];
    for (const record of selected.changed) {
      const version = stored.get(record.row[id]);
      if (version === undefined) added.push(record.row[id]);
      else replacing.push({ record, version });
    }
    await revisions.removeDeleted(kind, platform, added);
    changed.push(...selected.changed);
    unchanged.push(...selected.unchanged);
    revision = { ...revision, ...selected.revision };
  }
  return { changed, unchanged, replacing, revision };
}
