import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import type { Lookup, Stored } from '../../database/statements.js';
import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { formatDayNumber, parseDayNumber } from '../../receipts/usage-record.js';
import { ProfileEntity } from '../profiles/profile.entity.js';
import {
  HELD_COLUMNS,
  heldObservation,
  HistoryEntity,
  OBSERVATION_COLUMNS,
  pointOf,
  type HeldColumns,
  type ObservedDay,
} from './history.entity.js';
import type { HistoryPoint } from './history.js';

/** History of a profile. */
export interface History {
  /** Points of the requested days, oldest first. */
  readonly points: readonly HistoryPoint[];
  /** First day of all with an observation; null without any. */
  readonly firstDay: string | null;
}

/** All queries on the history of profiles. */
@Injectable()
export class HistoryQueries {
  readonly #profiles: Lookup<Pick<ProfileEntity, 'id'> & HeldColumns>;
  readonly #days: KeysetList<ObservedDay, 'day'>;

  constructor(private readonly database: Database) {
    this.#profiles = database.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: HELD_COLUMNS });
    this.#days = database.list({
      entity: HistoryEntity,
      filters: ['platform', 'profile_id'],
      keys: ['day'],
      columns: OBSERVATION_COLUMNS,
    });
  }

  /** Finds the history of a profile; null if the profile is unknown. @param from first day, inclusive, like `to` */
  async find(platform: Platform, profileId: string, from: string, to: string): Promise<History | null> {
    const code = platformCode(platform);
    // From the primary: replicas lag differently, so that a day could be in none of two reads.
    const [profile] = await this.database.findMany(this.#profiles, code, [profileId], { source: 'primary' });
    if (profile === undefined) return null;
    const held = heldObservation({ ...profile, platform: code });
    // After the profile: an import that replaces it meanwhile stores the observation that it held.
    const filters = [code, profileId];
    const range = { from: parseDayNumber(from), to: parseDayNumber(to) };
    const limit = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
    const [days, [first]] = await Promise.all([
      this.database.page(this.#days, { filters, ...range, limit }, 'primary'),
      this.database.page(this.#days, { filters, limit: 0 }, 'primary'),
    ]);
    const firstDay = Math.min(first?.day ?? Infinity, held?.day ?? Infinity);
    const isHeldInRange = held !== null && held.day >= range.from && held.day <= range.to;
    return {
      points: (isHeldInRange ? insertHeld(days, held) : days).map(pointOf),
      firstDay: firstDay === Infinity ? null : formatDayNumber(firstDay),
    };
  }
}

/** Inserts the observation that a profile holds. The later one of a day wins; of two at the same time, the one that is held. */
function insertHeld(days: readonly ObservedDay[], held: Stored<HistoryEntity>): readonly ObservedDay[] {
  const stored = days.find(({ day }) => day === held.day);
  if (stored !== undefined && Number(stored.observed_at) > held.observed_at) return days;
  return [...days.filter(({ day }) => day < held.day), held, ...days.filter(({ day }) => day > held.day)];
}
