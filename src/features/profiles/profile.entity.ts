import { Entity, Index } from 'typeorm';
import {
  BigintColumn,
  BytewiseColumn,
  DocumentColumn,
  nullIfTooLong,
  IdColumn,
  PlatformColumn,
  sortableInstant,
  UNKNOWN_SORT_VALUE,
} from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { platformCode } from '../../model/platforms.js';
import { foldHandle, stripAt } from './handle.js';
import type { Profile } from './profile.js';

/** Three times the 255 bytes of a handle, because some letters get up to three times as long in lower case. */
const MAX_FOLDED_HANDLE_BYTES = 765;

/** `observed_at` of a profile that holds no observation. Lower than any time. */
export const NOT_AN_OBSERVATION = UNKNOWN_SORT_VALUE;

/** Stored profile: its document and sort columns. Each sort has an index of exactly (platform, sort value, ID). */
@Entity('profiles')
@Index('profiles_by_handle', ['platform', 'handle'])
@Index('profiles_by_followers', ['platform', 'followers', 'id'])
@Index('profiles_by_updated_at', ['platform', 'updated_at', 'id'])
@Index('profiles_by_last_active_at', ['platform', 'last_active_at', 'id'])
@Index('profiles_by_revision', ['platform', 'revision', 'id'])
export class ProfileEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) id: string;
  /** Handle in the form of `foldHandle`; null if the profile has none. */
  @BytewiseColumn(MAX_FOLDED_HANDLE_BYTES, { nullable: true }) handle: string | null;
  @BigintColumn() followers: number;
  /** Milliseconds since 1970, or `UNKNOWN_SORT_VALUE`; likewise `last_active_at`. */
  @BigintColumn() updated_at: number;
  @BigintColumn() last_active_at: number;
  @DocumentColumn() document: Buffer;
  /** `counters` value of the import that last changed the document; 0 for a record that was stored before changes were counted. */
  @BigintColumn({ default: 0 }) revision: number;
  /** Time of that change, in milliseconds since 1970; 0 if it is unknown. */
  @BigintColumn({ default: 0 }) changed_at: number;
  /** Time of the latest observation, which is stored here instead of in `profile_history`, so that an import writes one row per
   * profile. Null: an earlier version stored the profile, or its day was purged. `NOT_AN_OBSERVATION`: the profile has no date or no
   * statistics, or `profile_history` has them corrected. */
  @BigintColumn({ nullable: true }) observed_at: number | null;
  /** Statistics of that observation. Older versions of the service leave these columns as they are. */
  @BigintColumn({ nullable: true }) observed_followers: number | null;
  @BigintColumn({ nullable: true }) observed_views: number | null;
}

/** Derives the row of an imported profile. The import assigns `revision` and `changed_at`. */
export function deriveProfileRow(
  profile: Profile,
  document: string,
): Omit<Stored<ProfileEntity>, 'revision' | 'changed_at'> {
  const handle = profile.name === null ? '' : foldHandle(stripAt(profile.name));
  const { followers, views_estimated } = profile.statistics;
  const updated_at = sortableInstant(profile.updated_at);
  const isObservation = profile.updated_at !== null && (followers !== null || views_estimated !== null);
  return {
    platform: platformCode(profile.platform_id),
    id: profile.id,
    handle: nullIfTooLong(handle || null, MAX_FOLDED_HANDLE_BYTES),
    followers: followers ?? UNKNOWN_SORT_VALUE,
    updated_at,
    last_active_at: sortableInstant(profile.last_active_at),
    document,
    observed_at: isObservation ? updated_at : NOT_AN_OBSERVATION,
    observed_followers: isObservation ? followers : null,
    observed_views: isObservation ? views_estimated : null,
  };
}
