import type { Reader, Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { HELD_COLUMNS, heldObservation, HistoryEntity, historyRowOf } from '../../features/history/history.entity.js';
import type { HistoryLine } from '../../features/history/history.js';
import { NOT_AN_OBSERVATION, ProfileEntity } from '../../features/profiles/profile.entity.js';
import { NO_RELATED_ROWS, joinKey, rowsOf, type RecordStore } from './record-store.js';

/** A row and the line that it was made from. Like in other kinds, its length bounds a batch. */
type HistoryRow = Stored<HistoryEntity> & { readonly document: string };

const dayKey = ({ platform, profile_id, day }: Stored<HistoryEntity>): string => joinKey(platform, profile_id, day);

/** Observations of one day at different times are records of their own: the latest wins, wherever it is in the file. */
const observationKey = (row: Stored<HistoryEntity>): string => joinKey(dayKey(row), row.observed_at);

export const historyStore: RecordStore<HistoryLine, HistoryRow, never> = {
  prepare: (line, document = JSON.stringify(line)) => ({
    row: { ...historyRowOf(line), document },
    related: NO_RELATED_ROWS,
  }),
  identityOf: observationKey,
  sortKeyOf: dayKey,
  creatorsOf: ({ row }) => [{ platform: row.platform, profileId: row.profile_id }],
  write: async (writer, records) => {
    const rows = rowsOf(records);
    const held = await findHeld(writer, rows);
    const heldAtSameTime = (row: HistoryRow) => held.get(observationKey(row));
    const corrected = rows.filter((row) => {
      const same = heldAtSameTime(row);
      return same !== undefined && !hasSameStatistics(row, same);
    });
    const isCorrected = new Set(corrected);
    // The profile must not hold what the line corrects.
    await writer.set(
      ProfileEntity,
      { observed_at: NOT_AN_OBSERVATION },
      ['platform', 'id'],
      corrected.map(({ platform, profile_id }) => ({ platform, id: profile_id })),
    );
    await writeHistory(
      writer,
      rows.filter((row) => isCorrected.has(row) || heldAtSameTime(row) === undefined),
    );
  },
};

/** Finds the observations that profiles hold, by `observationKey`. */
async function findHeld(
  reader: Reader,
  rows: readonly HistoryRow[],
): Promise<ReadonlyMap<string, Stored<HistoryEntity>>> {
  const byId = reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: HELD_COLUMNS });
  const found = new Map<string, Stored<HistoryEntity>>();
  for (const platform of new Set(rows.map((row) => row.platform))) {
    const ids = rows.filter((row) => row.platform === platform).map(({ profile_id }) => profile_id);
    for (const profile of await reader.findMany(byId, platform, [...new Set(ids)], { source: 'primary' })) {
      const held = heldObservation({ ...profile, platform });
      if (held !== null) found.set(observationKey(held), held);
    }
  }
  return found;
}

const hasSameStatistics = (one: Stored<HistoryEntity>, other: Stored<HistoryEntity>): boolean =>
  one.followers === other.followers && one.views_estimated === other.views_estimated;

/** Stores observations. Each day of a profile keeps the latest; of two at the same time, the one stored last. */
export function writeHistory(writer: Writer, rows: readonly Stored<HistoryEntity>[]): Promise<unknown> {
  return writer.upsert(HistoryEntity, rows, { keepHighest: 'observed_at' });
}

/** Reports whether a profile holds the observation of a day that `profile_history` lacks. */
export async function holdsOwnDay(reader: Reader, platform: number, profileId: string): Promise<boolean> {
  const byId = reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: HELD_COLUMNS });
  const [profile] = await reader.findMany(byId, platform, [profileId], { source: 'primary' });
  const held = profile === undefined ? null : heldObservation({ ...profile, platform });
  if (held === null) return false;
  const filters = ['platform', 'profile_id'] as const;
  const days = reader.list({ entity: HistoryEntity, filters, keys: ['day'], columns: [] });
  const request = { filters: [platform, profileId], from: held.day, to: held.day, limit: 0 };
  return (await reader.page(days, request, 'primary')).length === 0;
}

/** Removes the days of creators from `profile_history`. @returns their number */
export function removeHistory(
  writer: Writer,
  owners: readonly Pick<HistoryEntity, 'platform' | 'profile_id'>[],
): Promise<number> {
  return writer.remove(HistoryEntity, ['platform', 'profile_id'], owners);
}
