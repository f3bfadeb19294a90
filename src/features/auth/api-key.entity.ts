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
  /** Customer who gets the bill; null: the key is its own customer, under its name. */
  @BytewiseColumn(800, { nullable: true }) customer: string | null;
  /** Units that the key may use in a UTC month; null: no limit. */
  @BigintColumn({ nullable: true }) month_units: number | null;
  /** Credits that the key may use in a UTC month; null: no limit. */
  @BigintColumn({ nullable: true }) month_credits: number | null;
  /** First instant at which the key is rejected, the start of a UTC day; null: never. */
  @BigintColumn({ nullable: true }) expires_at: number | null;
  /** 1 for a test key, which is answered from the sample data; otherwise 0. */
  @Column({ type: 'tinyint', default: 0 }) is_test: number;
}
