import type { Writer } from '../../database/database.js';
import type { EntityClass } from '../../database/statements.js';
import type { FeedKind } from '../../features/changes/feeds.js';
import type { PreparedRecord } from './prepared-record.js';
import {
  VERSION_COLUMNS,
  type Revision,
  type Revisions,
  type SelectedRecords,
  type StoredVersion,
  type UnchangedRecord,
  type UnrevisedRow,
} from './revisions.js';

/** Table of a kind whose records are identified by platform and ID. @typeParam I column of the ID */
export interface PlatformTable<I extends string> {
  readonly kind: FeedKind;
  readonly entity: EntityClass<StoredVersion & Readonly<Record<I, string>> & { readonly platform: number }>;
  readonly id: I;
  /** Whether `updated_at` is part of the record, because the document does not contain it. */
  readonly hasDate: boolean;
}

type PlatformRow<I extends string> = UnrevisedRow & Readonly<Record<I, string>> & { readonly platform: number };

/** Selected records, and the stored versions that they replace. */
export interface ChangedRecords<R extends object, S extends object> extends SelectedRecords<R, S> {
  readonly replaced: readonly StoredVersion[];
}

/** Selects the records that are not stored with the same bytes. Those that were deleted before no longer are. */
export async function selectChanged<I extends string, R extends PlatformRow<I>, S extends object>(
  writer: Writer,
  revisions: Revisions,
  { kind, entity, id, hasDate }: PlatformTable<I>,
  records: readonly PreparedRecord<R, S>[],
): Promise<ChangedRecords<R, S>> {
  const columns = hasDate ? ([...VERSION_COLUMNS, 'updated_at'] as const) : VERSION_COLUMNS;
  const byId = writer.lookup({ entity, group: 'platform', id, columns });
  const changed: PreparedRecord<R, S>[] = [];
  const unchanged: UnchangedRecord<R, S>[] = [];
  const replaced: StoredVersion[] = [];
  let revision: Partial<Revision> = {};
  for (const platform of new Set(records.map(({ row }) => row.platform))) {
    const ofPlatform = records.filter(({ row }) => row.platform === platform);
    const rows = await writer.findMany(
      byId,
      platform,
      ofPlatform.map(({ row }) => row[id]),
    );
    const stored = new Map<string, StoredVersion>(rows.map((row) => [String(row[id]), row]));
    const selected = await revisions.select(kind, ofPlatform, (row) => stored.get(row[id]));
    const added: string[] = [];
    for (const { row } of selected.changed) {
      const version = stored.get(row[id]);
      if (version === undefined) added.push(row[id]);
      else replaced.push(version);
    }
    await revisions.removeDeleted(kind, platform, added);
    changed.push(...selected.changed);
    unchanged.push(...selected.unchanged);
    revision = { ...revision, ...selected.revision };
  }
  return { changed, unchanged, replaced, revision };
}
