import { Column, type ColumnOptions, type ValueTransformer } from 'typeorm';
import { MAX_ID_BYTES } from '../model/scalars.js';

/** SQL dialect; `mysql` includes MariaDB and wire-compatible distributed engines. */
export type Dialect = 'mysql' | 'sqlite';

/** Stored instead of null in sort columns, because keyset pagination needs comparable values. It sorts lowest: below any date
 * (±8.64e15 ms) and any count (±(2^53 − 1)). */
export const UNKNOWN_SORT_VALUE = -(2 ** 53);

/** Converts a nullable date-time to its stored form, in milliseconds since 1970. */
export function sortableInstant(dateTime: string | null): number {
  return dateTime === null ? UNKNOWN_SORT_VALUE : Date.parse(dateTime);
}

/** Returns the text if it fits into a column of `maxBytes`, otherwise null. No request filters by a text that long. */
export function nullIfTooLong(text: string | null, maxBytes: number): string | null {
  // A UTF-16 unit has at most three UTF-8 bytes, so short texts need no counting.
  return text !== null && text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes ? null : text;
}

const bytesAsText: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: Buffer | string | null) => (Buffer.isBuffer(value) ? value.toString('utf8') : value),
};

/** Column of text that is compared byte by byte. VARBINARY, because every MySQL collation ignores case or trailing spaces
 * (`utf8mb4_bin` pads, too). */
export const BytewiseColumn = (maxBytes: number, options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'varbinary', length: maxBytes, transformer: bytesAsText, ...options });

/** Column of an opaque platform ID; case and trailing spaces are significant. */
export const IdColumn = (options: ColumnOptions = {}): PropertyDecorator => BytewiseColumn(MAX_ID_BYTES, options);

/** Column of a `platformCode`: one byte, because nearly every index contains it. */
export const PlatformColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'tinyint', ...options });

/** Column of a 64-bit integer: a count or milliseconds since 1970, which have no time zone and lose no fraction. */
export const BigintColumn = (options: ColumnOptions = {}): PropertyDecorator => Column({ type: 'bigint', ...options });

const textAsBytes: ValueTransformer = {
  to: (value: string | null) => value,
  from: (value: string | null) => (value === null ? null : Buffer.from(value)),
};

/** Name of every `DocumentColumn`. */
export const DOCUMENT = 'document';

/** Column of a JSON document, read as bytes. Text, because a JSON type would reorder members and rewrite numbers. */
export const DocumentColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin', transformer: textAsBytes, ...options });
