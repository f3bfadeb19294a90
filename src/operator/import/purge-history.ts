import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { HELD_COLUMNS, heldObservation, HistoryEntity } from '../../features/history/history.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { startOfDay } from '../../model/calendar-date.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { parseDayNumber } from '../../receipts/usage-record.js';
import { LOCK_YIELD_MS } from './importer.js';
import { joinKey } from './record-store.js';

/** Rows per read and transaction. */
const BATCH_SIZE = 2048;

/** Profiles per batch, of which all days are looked up. */
const HOLDERS_PER_BATCH = 256;

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

type Held = Stored<HistoryEntity>;

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
    for await (const held of oldObservations(database, platform, firstDay)) {
      purged += await countUnstored(database, platform, held);
      if (!isDryRun) await releaseObservations(database, platform, held, first);
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

/** Yields the observations of days before another that profiles hold. */
async function* oldObservations(database: Database, platform: Platform, firstDay: string): AsyncGenerator<Held[]> {
  const first = parseDayNumber(firstDay);
  const request = { filters: [platformCode(platform)], to: startOfDay(firstDay) - 1, limit: HOLDERS_PER_BATCH - 1 };
  for await (const profiles of database.pages(database.list(BY_UPDATE), request)) {
    const held = profiles.flatMap((profile) => heldObservation(profile) ?? []).filter(({ day }) => day < first);
    if (held.length > 0) yield held;
  }
}

/** Counts the observations whose day `profile_history` lacks. */
async function countUnstored(database: Database, platform: Platform, held: readonly Held[]): Promise<number> {
  const byProfile = { entity: HistoryEntity, group: 'platform', id: 'profile_id', columns: ['day'] } as const;
  const ids = held.map(({ profile_id }) => profile_id);
  const source = { source: 'primary' } as const;
  const days = await database.findMany(database.lookup(byProfile), platformCode(platform), ids, source);
  const stored = new Set(days.map(({ profile_id, day }) => joinKey(day, String(profile_id))));
  return held.filter(({ profile_id, day }) => !stored.has(joinKey(day, profile_id))).length;
}

/** Clears `observed_at` of the profiles whose own observation is of a day before `first`. */
async function releaseObservations(
  database: Database,
  on: Platform,
  held: readonly Held[],
  first: number,
): Promise<void> {
  const platform = platformCode(on);
  await database.write(async (writer) => {
    await writer.lockData();
    const byId = writer.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: HELD_COLUMNS });
    const ids = held.map(({ profile_id }) => profile_id);
    const now = (await writer.findMany(byId, platform, ids)).flatMap(
      (profile) => heldObservation({ ...profile, platform }) ?? [],
    );
    const old = now.filter(({ day }) => day < first).map(({ profile_id }) => ({ platform, id: profile_id }));
    await writer.set(ProfileEntity, { observed_at: null }, ['platform', 'id'], old);
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
