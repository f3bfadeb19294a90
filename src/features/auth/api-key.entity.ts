import { EntitySchema } from 'typeorm';
import { bigintColumn, bytewiseColumn, type Dialect } from '../../database/columns.js';

/** An API key as it is stored: never the key itself. Instants are milliseconds since 1970. */
export interface StoredApiKey {
  id: string;
  name: string;
  /** `KeyFormat` makes it: SHA-256 in hexadecimal. A key holds 160 random bits: a slow hash would protect nothing more. */
  hash: string;
  /** Requests a minute; null: the service's default. */
  rate_limit: number | null;
  created_at: number;
  rotated_at: number | null;
  revoked_at: number | null;
}

export const apiKeyEntity = (dialect: Dialect) =>
  new EntitySchema<StoredApiKey>({
    name: 'api_keys',
    columns: {
      id: bytewiseColumn(dialect, 32, { primary: true }),
      name: bytewiseColumn(dialect, 800),
      hash: bytewiseColumn(dialect, 64),
      rate_limit: { type: 'int', nullable: true },
      created_at: bigintColumn(),
      rotated_at: bigintColumn({ nullable: true }),
      revoked_at: bigintColumn({ nullable: true }),
    },
    indices: [{ name: 'api_keys_by_hash', columns: ['hash'], unique: true }],
  });

/** A secret of this installation, made when first needed. */
export interface StoredSecret {
  name: string;
  value: string;
}

export const secretEntity = (dialect: Dialect) =>
  new EntitySchema<StoredSecret>({
    name: 'secrets',
    columns: { name: bytewiseColumn(dialect, 64, { primary: true }), value: bytewiseColumn(dialect, 255) },
  });
