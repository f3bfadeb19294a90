import * as z from 'zod';
import type { ManifestFormat } from '../../manifest-file.js';

const count = z.int().min(0);

/** Sums without the records of test keys. */
const sumMembers = { records: count, quota_units: count, credits: count };

const manifestSchema = z.strictObject({
  month: z.string(),
  created_at: z.string(),
  totals: z.strictObject(sumMembers),
  keys: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  files: z.array(
    z.strictObject({
      name: z.string().regex(/^usage-[\d-]{10}\.ndjson\.gz$/),
      bytes: count,
      sha256: z.string(),
      ...sumMembers,
    }),
  ),
});

/** Contents of an archive. */
export type Manifest = z.output<typeof manifestSchema>;

export type ArchivedFile = Manifest['files'][number];

export type ArchivedSums = Manifest['totals'];

export const ARCHIVE_FORMAT: ManifestFormat<Manifest> = {
  format: 'creator-data usage archive',
  version: 1,
  schema: manifestSchema,
  nounWithArticle: 'a usage archive',
  noun: 'archive',
  createdBy: 'usage archive --out',
};

/** Returns the file name of a day. @param date `2026-01-31` */
export const formatFileName = (date: string): string => `usage-${date}.ndjson.gz`;

/** Returns the day of a file name: the inverse of `formatFileName`. */
export const parseFileName = (name: string): string => name.slice('usage-'.length, 'usage-2026-01-31'.length);

export function sumTotals(list: readonly ArchivedSums[]): ArchivedSums {
  const sum = (member: keyof ArchivedSums) => list.reduce((total, sums) => total + sums[member], 0);
  return { records: sum('records'), quota_units: sum('quota_units'), credits: sum('credits') };
}

export const isEqualTotals = (a: ArchivedSums, b: ArchivedSums): boolean =>
  a.records === b.records && a.quota_units === b.quota_units && a.credits === b.credits;
