import type { Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { HistoryEntity, historyRowOf } from '../../features/history/history.entity.js';
import type { HistoryLine } from '../../features/history/history.js';
import type { PreparedRecord } from './prepared-record.js';
import { NO_RELATED_ROWS, joinKey, rowsOf, type RecordStore } from './record-store.js';

/** A row and the line that it was made from. Like in other kinds, its length bounds a batch. */
type HistoryRow = Stored<HistoryEntity> & { readonly document: string };

const dayKey = ({ platform, profile_id, day }: HistoryRow): string => joinKey(platform, profile_id, day);

export const historyStore: RecordStore<HistoryLine, HistoryRow, never> = {
  prepare: (line, document = JSON.stringify(line)) => ({
    row: { ...historyRowOf(line), document },
    related: NO_RELATED_ROWS,
  }),
  identityOf: dayKey,
  sortKeyOf: dayKey,
  creatorsOf: ({ row }) => [{ platform: row.platform, profileId: row.profile_id }],
  write: (writer, records) => writeHistory(writer, rowsOf(records)),
};

/** Stores observations. Each day of a profile keeps the latest; of two at the same time, the one stored last. */
export function writeHistory(writer: Writer, rows: readonly Stored<HistoryEntity>[]): Promise<unknown> {
  return writer.upsert(HistoryEntity, rows, { keepHighest: 'observed_at' });
}

/** Stores the observations that come with profiles. */
export function writeObserved(writer: Writer, records: readonly Pick<PreparedRecord, 'history'>[]): Promise<unknown> {
  return writeHistory(
    writer,
    records.flatMap(({ history }) => history ?? []),
  );
}

/** Removes the history of creators. @returns the number of days */
export function removeHistory(
  writer: Writer,
  owners: readonly Pick<HistoryEntity, 'platform' | 'profile_id'>[],
): Promise<number> {
  return writer.remove(HistoryEntity, ['platform', 'profile_id'], owners);
}
