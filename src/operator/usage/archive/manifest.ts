import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../operator-error.js';

export const MANIFEST_NAME = 'manifest.json';

const FORMAT = 'creator-data usage archive';
const VERSION = 1;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[\da-f]{64}$/);

/** Sums without the records of test keys. */
const sumMembers = { records: count, quota_units: count, credits: count };

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  month: z.string(),
  created_at: z.string(),
  totals: z.strictObject(sumMembers),
  keys: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  files: z.array(
    z.strictObject({ name: z.string().regex(/^usage-[\d-]{10}\.ndjson\.gz$/), bytes: count, sha256, ...sumMembers }),
  ),
  /** Checksum of all members before it. */
  sha256,
});

/** Contents of an archive. */
export type Manifest = Omit<z.output<typeof manifestSchema>, 'sha256' | 'format' | 'version'>;

export type ArchivedFile = Manifest['files'][number];

export type ArchivedSums = Manifest['totals'];

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

const checksumOf = (members: object): string => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** Formats the manifest as the text of its file. */
export function formatManifest(manifest: Manifest): string {
  const members = { format: FORMAT, version: VERSION, ...manifest };
  return `${JSON.stringify({ ...members, sha256: checksumOf(members) }, null, 2)}\n`;
}

/** Reads and verifies the manifest of an archive. @throws OperatorError */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_NAME);
  const invalid = (problem: string) => new OperatorError('invalid_file', `${path} ${problem}`);
  const text = await readFile(path, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('is truncated or was changed: it is not JSON; use another copy of the archive');
  }
  const header = z.looseObject({ format: z.literal(FORMAT), version: z.int() }).safeParse(value);
  if (!header.success) throw invalid('is not of a usage archive: name a folder that "usage archive --out" created');
  if (header.data.version > VERSION) {
    throw invalid(`has format ${header.data.version}, which this version cannot read: use the version that wrote it`);
  }
  const { sha256: checksum, ...members } = value as Readonly<Record<string, unknown>>;
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success || checksum !== checksumOf(members)) {
    throw invalid('was changed: its checksum does not match; use another copy of the archive');
  }
  return parsed.data;
}
