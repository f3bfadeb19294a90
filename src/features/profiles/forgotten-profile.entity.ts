import { EntitySchema } from 'typeorm';
import { bigintColumn, idColumn, platformColumn, type Dialect } from '../../database/columns.js';

/** A creator who was forgotten: later lines about them are rejected. */
export interface StoredForgottenProfile {
  platform: number;
  profile_id: string;
  forgotten_at: number;
}

export const forgottenProfileEntity = (dialect: Dialect) =>
  new EntitySchema<StoredForgottenProfile>({
    name: 'forgotten_profiles',
    columns: {
      platform: platformColumn({ primary: true }),
      profile_id: idColumn(dialect, { primary: true }),
      forgotten_at: bigintColumn(),
    },
  });
