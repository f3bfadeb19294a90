import { Entity } from 'typeorm';
import { BigintColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** Creator who was forgotten. Imports reject later lines about them. */
@Entity('forgotten_profiles')
export class ForgottenProfileEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  @BigintColumn() forgotten_at: number;
}
