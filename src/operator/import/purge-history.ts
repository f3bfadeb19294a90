import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { HELD_COLUMNS, heldObservation, HistoryEntity } from '../../features/history/history.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { startOfDay } from '../../model/calendar-date.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { parseDayNumber } from '../../receipts/usage-record.js';
import { holdsOwnDay } from './history-store.js';
import { LOCK_YIELD_MS } from './importer.js';

/** Rows per read and transaction. */
const BATCH_SIZE = 2048;

/** Later than any day number: the position after all days of a profile. */
const LAST_DAY = 99_999_999;

const BY_PROFILE = {
  entity: HistoryEntity,
  filters: ['platform'],
  keys: ['profile_id', 'day'],
  columns: ['platform'],
} as const;

const BY_UPDATE = {
  entity: ProfileEntity,
  filters: ['platform'],
  keys: ['updated_at', 'id'],
  columns: ['platform', ...HELD_COLUMNS],
} as const;

type ProfileDay = Pick<HistoryEntity, 'platform' | 'profile_id' | 'day'>;

/** Removes or counts the days of all histories before a day. The profiles stay as they are. @param firstDay first day to keep
 * @returns the number of days */
export async function purgeHistory(
  database: Database,
  platforms: readonly Platform[],
  firstDay: string,
  isDryRun: boolean,
): Promise<number> {
  const first = parseDayNumber(firstDay);
  let purged = 0;
  for (const platform of platforms) {
    // Holders first: an import that replaces one meanwhile moves its observation to the days that are read next.
    for await (const ids of oldHolders(database, platform, firstDay)) {
      for (const id of ids) purged += Number(await holdsOwnDay(database, platformCode(platform), id));
      if (!isDryRun) await releaseObservations(database, platform, ids, first);
    }
    for await (const days of oldDays(database, platform, first)) {
      if (!isDryRun) await removeDays(database, days);
      purged += days.length;
    }
  }
  if (!isDryRun) await database.eraseDeleted();
  return purged;
}

/** Yields the days before a day. Reads the table in the order of its key: an index by day would slow down every import for a
 * command that runs once a day at most. */
async function* oldDays(database: Database, platform: Platform, first: number): AsyncGenerator<ProfileDay[]> {
  const list = database.list(BY_PROFILE);
  const filters = [platformCode(platform)];
  let after: Pick<ProfileDay, 'profile_id' | 'day'> | null = null;
  let rows: ProfileDay[];
  do {
    rows = await database.page(list, { filters, after, limit: BATCH_SIZE - 1 }, 'primary');
    const old = rows.filter(({ day }) => day < first);
    if (old.length > 0) yield old;
    const last = rows.at(-1);
    if (last === undefined) return;
    // The days of a profile are in order: none after a young one is old.
    after = { profile_id: String(last.profile_id), day: last.day < first ? last.day : LAST_DAY };
  } while (rows.length === BATCH_SIZE);
}

/** Yields the IDs of profiles that hold an observation of a day before another. */
async function* oldHolders(database: Database, platform: Platform, firstDay: string): AsyncGenerator<string[]> {
  const request = { filters: [platformCode(platform)], to: startOfDay(firstDay) - 1, limit: BATCH_SIZE - 1 };
  for await (const profiles of database.pages(database.list(BY_UPDATE), request)) {
    const holders = profiles.filter((profile) => heldObservation(profile) !== null);
    if (holders.length > 0) yield holders.map(({ id }) => String(id));
  }
}

/** Clears `observed_at` of the profiles whose own observation is of a day before `first`. */
async function releaseObservations(
  database: Database,
  on: Platform,
  ids: readonly string[],
  first: number,
): Promise<void> {
  const platform = platformCode(on);
  await database.write(async (writer) => {
    await writer.lockData();
    const byId = writer.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: HELD_COLUMNS });
    const profiles = await writer.findMany(byId, platform, ids);
    const isOld = (held: Stored<HistoryEntity> | null) => held !== null && held.day < first;
    const holders = profiles.filter((profile) => isOld(heldObservation({ ...profile, platform })));
    const keys = holders.map(({ id }) => ({ platform, id: String(id) }));
    await writer.set(ProfileEntity, { observed_at: null }, ['platform', 'id'], keys);
  });
  await setTimeout(LOCK_YIELD_MS);
}

async function removeDays(database: Database, days: readonly ProfileDay[]): Promise<void> {
  await database.write(async (writer) => {
    await writer.lockData();
    await writer.remove(HistoryEntity, ['platform', 'profile_id', 'day'], days);
  });
  await setTimeout(LOCK_YIELD_MS);
}
