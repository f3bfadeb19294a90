import { Entity } from 'typeorm';
import { BytewiseColumn } from './columns.js';

/** A secret of this installation, made when first needed. */
@Entity('secrets')
export class SecretEntity {
  @BytewiseColumn(64, { primary: true }) name: string;
  @BytewiseColumn(255) value: string;
}
