import { Entity } from 'typeorm';
import { BytewiseColumn } from './columns.js';

/** Secret of this installation, created on first use. */
@Entity('secrets')
export class SecretEntity {
  @BytewiseColumn(64, { primary: true }) name: string;
  @BytewiseColumn(255) value: string;
}
