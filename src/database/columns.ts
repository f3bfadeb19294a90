import { Column, type ColumnOptions, type ValueTransformer } from 'typeorm';
import { MAX_ID_BYTES } from '../model/scalars.js';

/** SQL dialects; MariaDB and compatible distributed engines are `mysql`. */
export type Dialect = 'mysql' | 'sqlite';

/** "Unknown" in sort columns: keysets need comparable values. Below any date (±8.64e15 ms) or count (±(2^53 − 1)). */
export const UNKNOWN_SORT_VALUE = -(2 ** 53);

/** The stored form of a date-time that may be unknown, in milliseconds since 1970. */
export function sortableInstant(dateTime: string | null): number {
  return dateTime === null ? UNKNOWN_SORT_VALUE : Date.parse(dateTime);
}

/** A text for a column of this size; null where it does not fit, as nothing is filtered by such a text. */
export function fitting(text: string | null, maxBytes: number): string | null {
  // A UTF-16 unit takes at most three bytes: short texts need no counting.
  return text !== null && text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes ? null : text;
}

const bytesAsText: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: Buffer | string | null) => (Buffer.isBuffer(value) ? value.toString('utf8') : value),
};

/** Text compared bytewise. VARBINARY: MySQL collations ignore case or trailing spaces (`utf8mb4_bin` pads too). */
export const BytewiseColumn = (maxBytes: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'varbinary', length: maxBytes, transformer: bytesAsText, ...options });

/** An opaque platform ID, case-sensitive, trailing spaces included. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => BytewiseColumn(MAX_ID_BYTES, options);

/** A platform code (`platformCode`): one byte, as it is in nearly every index. */
export const PlatformColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'tinyint', ...options });

/** A 64-bit integer: a count, or milliseconds since 1970 (no time zones, no lost milliseconds). */
export const BigintColumn = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: 'bigint', ...options });

const textAsBytes: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: string | null) => (value === null ? null : Buffer.from(value)),
};

/** The property, and column, of every `DocumentColumn`. */
export const DOCUMENT = 'document';

/** API JSON in the column `DOCUMENT`, read as bytes. Text: a JSON type would reorder members and rewrite numbers. */
export const DocumentColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin', transformer: textAsBytes, ...options });
