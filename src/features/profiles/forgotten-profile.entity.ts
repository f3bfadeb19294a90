import { Entity } from 'typeorm';
import { BigintColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** A creator who was forgotten: later lines about them are rejected. */
@Entity('forgotten_profiles')
export class ForgottenProfileEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  @BigintColumn() forgotten_at: number;
}
