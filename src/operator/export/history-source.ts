import type { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import type { SqlValue, Stored, StreamRows } from '../../database/statements.js';
import {
  HELD_COLUMNS,
  heldObservation,
  HistoryEntity,
  historyLineOf,
  OBSERVATION_COLUMNS,
} from '../../features/history/history.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode, PLATFORMS, type Platform } from '../../model/platforms.js';
import { countRows, streamPages, type ExportSource } from './export-source.js';

type HistoryRow = Stored<HistoryEntity>;

const DAYS = {
  entity: HistoryEntity,
  filters: ['platform'],
  keys: ['profile_id', 'day'],
  columns: ['platform', ...OBSERVATION_COLUMNS],
} as const;

const PROFILES = {
  entity: ProfileEntity,
  filters: ['platform'],
  keys: ['id'],
  columns: ['platform', ...HELD_COLUMNS],
} as const;

/** Histories: the stored days, and the observations that profiles hold. */
export const HISTORY_SOURCE: ExportSource = {
  kind: 'history',
  platforms: PLATFORMS,
  count: async (database, platform) =>
    (await countRows(database, HistoryEntity, ['platform'], [filtersOf(platform)])) +
    (await countRows(database, ProfileEntity, ['platform'], [filtersOf(platform)])),
  lines: async function* (database, stream, platform) {
    for await (const days of mergeDays(storedDays(database, stream, platform), heldDays(database, stream, platform))) {
      yield days.map((day) => [Buffer.from(JSON.stringify(historyLineOf(day)))]);
    }
  },
};

const filtersOf = (platform: Platform | null): SqlValue[] => (platform === null ? [] : [platformCode(platform)]);

const storedDays = (database: Database, stream: StreamRows, platform: Platform | null): AsyncGenerator<HistoryRow[]> =>
  readPages(stream, database.list(DAYS), filtersOf(platform));

async function* heldDays(
  database: Database,
  stream: StreamRows,
  platform: Platform | null,
): AsyncGenerator<HistoryRow[]> {
  for await (const profiles of readPages(stream, database.list(PROFILES), filtersOf(platform))) {
    yield profiles.flatMap((profile) => heldObservation(profile) ?? []);
  }
}

/** Yields whole pages of a list: while one is read, the other list can send no statement. */
async function* readPages<R, K extends keyof R & string>(
  stream: StreamRows,
  list: KeysetList<R, K>,
  filters: readonly SqlValue[],
): AsyncGenerator<R[]> {
  for await (const page of streamPages(stream, list, filters)) {
    const all: R[] = [];
    for await (const rows of page) all.push(...rows);
    yield all;
  }
}

/** Merges observations that are sorted by profile and day. The later one of a day wins; of two at the same time, the held one. */
async function* mergeDays(
  stored: AsyncGenerator<HistoryRow[]>,
  held: AsyncGenerator<HistoryRow[]>,
): AsyncGenerator<HistoryRow[]> {
  let [days, others] = [await nextPage(stored), await nextPage(held)];
  while (days.length > 0 && others.length > 0) {
    const merged: HistoryRow[] = [];
    let [at, other] = [0, 0];
    for (;;) {
      const [day, heldDay] = [days[at], others[other]];
      if (day === undefined || heldDay === undefined) break;
      const order = compareDays(day, heldDay);
      merged.push(order < 0 || (order === 0 && day.observed_at > heldDay.observed_at) ? day : heldDay);
      if (order <= 0) at++;
      if (order >= 0) other++;
    }
    yield merged;
    days = at < days.length ? days.slice(at) : await nextPage(stored);
    others = other < others.length ? others.slice(other) : await nextPage(held);
  }
  yield [...days, ...others];
  yield* stored;
  yield* held;
}

/** Returns the next page with rows; an empty one at the end. */
async function nextPage(pages: AsyncGenerator<HistoryRow[]>): Promise<HistoryRow[]> {
  for (;;) {
    const { value, done = false } = (await pages.next()) as IteratorResult<HistoryRow[], undefined>;
    if (done || value === undefined) return [];
    if (value.length > 0) return value;
  }
}

function compareDays(one: HistoryRow, other: HistoryRow): number {
  // As bytes, like the tables: texts sort surrogates differently.
  const order = Buffer.compare(Buffer.from(String(one.profile_id)), Buffer.from(String(other.profile_id)));
  return order === 0 ? one.day - other.day : order;
}
