import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { UsageSums } from '../../../features/quota/usage-report.js';
import type { SummaryGrouping, SummaryLine } from '../usage-summary.js';
import { LineReader } from '../../import/line-reader.js';
import { OperatorError } from '../../operator-error.js';
import { addUp, dayOfFile, isSame, MANIFEST, readManifest, type ArchivedFile, type Manifest } from './manifest.js';

/** What an archived record needs for its sums. */
const recordSchema = z.object({
  occurred_at: z.string(),
  key_id: z.nullable(z.string()),
  operation: z.string(),
  quota_units: z.int(),
  credits: z.int(),
});

type ArchivedRecord = z.output<typeof recordSchema>;

export interface CheckedArchive {
  readonly manifest: Manifest;
  /** In the order of `usage summary`. */
  readonly lines: readonly SummaryLine[];
}

/** Verifies every file of an archive and sums up its records. @throws OperatorError that names the first that is wrong */
export async function readArchive(folder: string, by: readonly SummaryGrouping[]): Promise<CheckedArchive> {
  const manifest = await readManifest(folder);
  if (!isSame(addUp(manifest.files), manifest.totals)) {
    throw new OperatorError('invalid_file', `${join(folder, MANIFEST)}: its totals are not the sums of its files`);
  }
  // All of them before the first is unpacked: a broken one would fail in the words of the packer.
  for (const file of manifest.files) await requireWhole(join(folder, file.name), file);
  const sums = new Sums(by);
  for (const file of manifest.files) await addFile(join(folder, file.name), file, sums);
  return { manifest, lines: sums.lines() };
}

/** @throws OperatorError unless the file is there, byte by byte */
async function requireWhole(path: string, { bytes, sha256 }: ArchivedFile): Promise<void> {
  const wrong = (what: string) =>
    new OperatorError('invalid_file', `${path} ${what}; take another copy of the archive`);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw wrong('is missing');
    throw error;
  });
  if (found.size !== bytes) throw wrong(`has ${found.size} bytes instead of ${bytes}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw wrong('was changed: its checksum is another');
}

async function addFile(path: string, { name, ...expected }: ArchivedFile, sums: Sums): Promise<void> {
  const found = { records: 0, quota_units: 0, credits: 0 };
  const reader = await LineReader.open(path);
  for await (const lines of reader.lines()) {
    for (const { number, text } of lines) {
      const record = recordOf(text);
      if (record?.occurred_at.startsWith(dayOfFile(name)) !== true) {
        throw new OperatorError('invalid_file', `${path}: line ${number} is no usage record of that day`);
      }
      found.records += 1;
      found.quota_units += record.quota_units;
      found.credits += record.credits;
      sums.add(record);
    }
  }
  if (isSame(found, expected)) return;
  throw new OperatorError(
    'invalid_file',
    `${path} holds ${found.records} records, ${found.quota_units} units and ${found.credits} credits, but ${MANIFEST} tells ` +
      `${expected.records}, ${expected.quota_units} and ${expected.credits}`,
  );
}

function recordOf(text: string): ArchivedRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const GROUP_TEXT: Readonly<Record<SummaryGrouping, (record: ArchivedRecord) => string>> = {
  key: ({ key_id }) => key_id ?? '',
  operation: ({ operation }) => operation,
  day: ({ occurred_at }) => occurred_at.slice(0, 'YYYY-MM-DD'.length),
  month: ({ occurred_at }) => occurred_at.slice(0, 'YYYY-MM'.length),
};

/** Sums by what was asked for. */
class Sums {
  readonly #sums = new Map<string, SummaryLine & { -readonly [Member in keyof UsageSums]: UsageSums[Member] }>();

  constructor(private readonly by: readonly SummaryGrouping[]) {}

  add(record: ArchivedRecord): void {
    const group = this.by.map((grouping) => GROUP_TEXT[grouping](record));
    const name = group.join(' ');
    let line = this.#sums.get(name);
    if (line === undefined) this.#sums.set(name, (line = { group, requests: 0, quota_units: 0, credits: 0 }));
    line.requests += 1;
    line.quota_units += record.quota_units;
    line.credits += record.credits;
  }

  lines(): SummaryLine[] {
    return [...this.#sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }
}
