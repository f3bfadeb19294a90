import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn } from '../../database/columns.js';

/** Stored API key, without the key itself. Times are in milliseconds since 1970. */
@Entity('api_keys')
@Index('api_keys_by_hash', ['hash'], { unique: true })
export class ApiKeyEntity {
  @BytewiseColumn(32, { primary: true }) id: string;
  @BytewiseColumn(800) name: string;
  /** Last 52 of the 64 hexadecimal digits of the SHA-256 that `KeyFormat` computes; the first 12 are the key's checksum. Not a
   * slow hash: nobody can guess 160 random bits. */
  @BytewiseColumn(64) hash: string;
  /** Requests per minute; null uses the service's default. */
  @Column({ type: 'int', nullable: true }) rate_limit: number | null;
  @BigintColumn() created_at: number;
  @BigintColumn({ nullable: true }) rotated_at: number | null;
  @BigintColumn({ nullable: true }) revoked_at: number | null;
  /** Field policy as `parsePolicy` returns it; null hides nothing. */
  @BytewiseColumn(2000, { nullable: true }) policy: string | null;
}
