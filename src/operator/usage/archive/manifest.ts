import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../../operator-error.js';

export const MANIFEST = 'manifest.json';

const FORMAT = 'creator-data usage archive';
const VERSION = 1;

const count = z.int().min(0);
const sha256 = z.string().regex(/^[\da-f]{64}$/);

const sums = { records: count, quota_units: count, credits: count };

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  month: z.string(),
  created_at: z.string(),
  totals: z.strictObject(sums),
  keys: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  files: z.array(
    z.strictObject({ name: z.string().regex(/^usage-[\d-]{10}\.ndjson\.gz$/), bytes: count, sha256, ...sums }),
  ),
  /** Of all members before it. */
  sha256,
});

/** What an archive holds. */
export type Manifest = Omit<z.output<typeof manifestSchema>, 'sha256' | 'format' | 'version'>;

export type ArchivedFile = Manifest['files'][number];

export type ArchivedSums = Manifest['totals'];

/** The name of a day's file. @param date `2026-01-31` */
export const fileOfDay = (date: string): string => `usage-${date}.ndjson.gz`;

/** The reverse of `fileOfDay`. */
export const dayOfFile = (name: string): string => name.slice('usage-'.length, 'usage-2026-01-31'.length);

export function addUp(all: readonly ArchivedSums[]): ArchivedSums {
  const sum = (member: keyof ArchivedSums) => all.reduce((total, each) => total + each[member], 0);
  return { records: sum('records'), quota_units: sum('quota_units'), credits: sum('credits') };
}

export const isSame = (a: ArchivedSums, b: ArchivedSums): boolean =>
  a.records === b.records && a.quota_units === b.quota_units && a.credits === b.credits;

const sealOf = (members: object): string => createHash('sha256').update(JSON.stringify(members)).digest('hex');

/** The text of the file. */
export function manifestText(manifest: Manifest): string {
  const members = { format: FORMAT, version: VERSION, ...manifest };
  return `${JSON.stringify({ ...members, sha256: sealOf(members) }, null, 2)}\n`;
}

/** @throws OperatorError that says what is wrong with it */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const wrong = (what: string) => new OperatorError('invalid_file', `${path} ${what}`);
  const text = await readFile(path, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('is cut off or was changed: it is not JSON; take another copy of the archive');
  }
  const told = z.looseObject({ format: z.literal(FORMAT), version: z.int() }).safeParse(value);
  if (!told.success) throw wrong('is not that of a usage archive: name a folder that "usage archive --out" made');
  if (told.data.version > VERSION) {
    throw wrong(`is of format ${told.data.version}, which this version cannot read: take the one that made it`);
  }
  const { sha256: seal, ...members } = value as Readonly<Record<string, unknown>>;
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success || seal !== sealOf(members)) {
    throw wrong('was changed: its checksum is another; take another copy of the archive');
  }
  return parsed.data;
}
