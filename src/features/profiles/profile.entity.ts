import { EntitySchema } from 'typeorm';
import {
  bigintColumn,
  bytewiseColumn,
  documentColumn,
  idColumn,
  platformColumn,
  type Dialect,
} from '../../database/columns.js';

/** A stored profile: the document that is returned, and the columns that are searched or sorted by. */
export interface StoredProfile {
  platform: number;
  id: string;
  /** The handle as look-ups compare it (`foldHandle`); null where the profile has none. */
  handle: string | null;
  followers: number;
  /** Milliseconds since 1970, `UNKNOWN_SORT_VALUE` where unknown; likewise `last_active_at`. */
  updated_at: number;
  last_active_at: number;
  document: string;
}

/** A handle has at most 255 bytes; in lower case some letters take up to three times as many. */
const MAX_FOLDED_HANDLE_BYTES = 765;

/** Every list has an index that is exactly (platform, sort value, ID), so a page reads what it returns. */
export const profileEntity = (dialect: Dialect) =>
  new EntitySchema<StoredProfile>({
    name: 'profiles',
    columns: {
      platform: platformColumn({ primary: true }),
      id: idColumn(dialect, { primary: true }),
      handle: bytewiseColumn(dialect, MAX_FOLDED_HANDLE_BYTES, { nullable: true }),
      followers: bigintColumn(),
      updated_at: bigintColumn(),
      last_active_at: bigintColumn(),
      document: documentColumn(dialect),
    },
    indices: [
      { name: 'profiles_by_handle', columns: ['platform', 'handle'] },
      { name: 'profiles_by_followers', columns: ['platform', 'followers', 'id'] },
      { name: 'profiles_by_updated_at', columns: ['platform', 'updated_at', 'id'] },
      { name: 'profiles_by_last_active_at', columns: ['platform', 'last_active_at', 'id'] },
    ],
  });
