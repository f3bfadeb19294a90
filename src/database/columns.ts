import { Column, type ColumnOptions, type ValueTransformer } from 'typeorm';
import { MAX_ID_BYTES } from '../model/scalars.js';

/** The two families of SQL that the service speaks; MariaDB and compatible distributed engines are `mysql`. */
export type Dialect = 'mysql' | 'sqlite';

/**
 * Stands for "unknown" in columns that are sorted by: a keyset page needs a value that compares, and no real
 * instant or count is as low (dates end at ±8.64e15 ms, counts at ±(2^53 − 1)).
 */
export const UNKNOWN_SORT_VALUE = -(2 ** 53);

const bytesAsText: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: Buffer | string | null) => (Buffer.isBuffer(value) ? value.toString('utf8') : value),
};

/**
 * Text that is compared byte by byte. MySQL's text collations ignore case or trailing spaces (`utf8mb4_bin` pads
 * too), so it is VARBINARY there; SQLite's own comparison of text is already bytewise.
 */
export const BytewiseColumn = (maxBytes: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'varbinary', length: maxBytes, transformer: bytesAsText, ...options });

/** An opaque platform ID, case-sensitive, trailing spaces included. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => BytewiseColumn(MAX_ID_BYTES, options);

/** A platform as its small stored code (`platformCode`); part of nearly every index, so it is one byte. */
export const PlatformColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'tinyint', ...options });

/** A 64-bit integer: a count, or an instant in milliseconds since 1970 (free of time zones and lost milliseconds). */
export const BigintColumn = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: 'bigint', ...options });

const textAsBytes: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: string | null) => (value === null ? null : Buffer.from(value)),
};

/**
 * JSON exactly as the API returns it, read as bytes. Text, not a JSON type: that would reorder members and rewrite numbers.
 */
export const DocumentColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin', transformer: textAsBytes, ...options });
