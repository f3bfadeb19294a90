import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn } from '../../database/columns.js';

/** An API key as it is stored: never the key itself. Instants are milliseconds since 1970. */
@Entity('api_keys')
@Index('api_keys_by_hash', ['hash'], { unique: true })
export class ApiKeyEntity {
  @BytewiseColumn(32, { primary: true }) id: string;
  @BytewiseColumn(800) name: string;
  /** The last 52 of the 64 hexadecimal digits of a SHA-256, which `KeyFormat` makes: the first 12 are the key's checksum. A key
   * holds 160 random bits: a slow hash would protect nothing more. */
  @BytewiseColumn(64) hash: string;
  /** Requests a minute; null: the service's default. */
  @Column({ type: 'int', nullable: true }) rate_limit: number | null;
  @BigintColumn() created_at: number;
  @BigintColumn({ nullable: true }) rotated_at: number | null;
  @BigintColumn({ nullable: true }) revoked_at: number | null;
  /** What answers to it do not show, as `readPolicy` gives it; null: they show everything. */
  @BytewiseColumn(2000, { nullable: true }) policy: string | null;
}
