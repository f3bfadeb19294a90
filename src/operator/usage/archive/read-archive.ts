import { join } from 'node:path';
import * as z from 'zod';
import type { UsageSums } from '../../../features/quota/usage-sums.js';
import type { RecordGrouping, SummaryLine } from '../usage-summary.js';
import { LineReader } from '../../import/line-reader.js';
import { MANIFEST_NAME, readManifest } from '../../manifest-file.js';
import { OperatorError } from '../../operator-error.js';
import { requireIntact } from '../../packed-file.js';
import { countOf } from '../../../model/counts.js';
import {
  ARCHIVE_FORMAT,
  sumTotals,
  parseFileName,
  isEqualTotals,
  type ArchivedFile,
  type Manifest,
} from './manifest.js';

/** Members of an archived record that the sums need. */
const recordSchema = z.object({
  occurred_at: z.string(),
  key_id: z.nullable(z.string()),
  operation: z.string(),
  quota_units: z.int(),
  credits: z.int(),
  /** Of a test key, which the sums leave out. */
  test: z.optional(z.literal(true)),
});

type ArchivedRecord = z.output<typeof recordSchema>;

export interface VerifiedArchive {
  readonly manifest: Manifest;
  /** Sorted as in `usage summary`. */
  readonly lines: readonly SummaryLine[];
  /** Records of test keys, which the sums leave out. */
  readonly testRecords: number;
}

/** Verifies every file of an archive and sums up its records. @throws OperatorError that names the first invalid file */
export async function readArchive(folder: string, by: readonly RecordGrouping[]): Promise<VerifiedArchive> {
  const manifest = await readManifest(ARCHIVE_FORMAT, folder);
  if (!isEqualTotals(sumTotals(manifest.files), manifest.totals)) {
    throw new OperatorError('invalid_file', `${join(folder, MANIFEST_NAME)}: its totals are not the sums of its files`);
  }
  // Check all files before decompressing the first: zlib's errors would not help the operator.
  for (const file of manifest.files) {
    await requireIntact(join(folder, file.name), file, ARCHIVE_FORMAT.noun);
  }
  const sums = new GroupedSums(by);
  for (const file of manifest.files) await addFile(join(folder, file.name), file, sums);
  return { manifest, lines: sums.lines(), testRecords: sums.testRecords };
}

async function addFile(path: string, { name, ...expected }: ArchivedFile, sums: GroupedSums): Promise<void> {
  const found = { records: 0, quota_units: 0, credits: 0 };
  const reader = await LineReader.open(path);
  for await (const lines of reader.lines()) {
    for (const { number, text } of lines) {
      const record = parseRecord(text);
      if (record?.occurred_at.startsWith(parseFileName(name)) !== true) {
        throw new OperatorError('invalid_file', `${path}: line ${number} is not a usage record of that day`);
      }
      if (record.test === true) {
        sums.testRecords += 1;
        continue;
      }
      found.records += 1;
      found.quota_units += record.quota_units;
      found.credits += record.credits;
      sums.add(record);
    }
  }
  if (isEqualTotals(found, expected)) return;
  throw new OperatorError(
    'invalid_file',
    `${path} has ${countOf(found.records, 'record')}, ${countOf(found.quota_units, 'unit')} and ${countOf(found.credits, 'credit')}, but ${MANIFEST_NAME} says ` +
      `${expected.records}, ${expected.quota_units} and ${expected.credits}`,
  );
}

function parseRecord(text: string): ArchivedRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const FORMAT_GROUP: Readonly<Record<RecordGrouping, (record: ArchivedRecord) => string>> = {
  key: ({ key_id }) => key_id ?? '',
  operation: ({ operation }) => operation,
  day: ({ occurred_at }) => occurred_at.slice(0, 'YYYY-MM-DD'.length),
  month: ({ occurred_at }) => occurred_at.slice(0, 'YYYY-MM'.length),
};

/** Sums of records by the requested groupings. */
class GroupedSums {
  testRecords = 0;
  readonly #sums = new Map<string, SummaryLine & { -readonly [Member in keyof UsageSums]: UsageSums[Member] }>();

  constructor(private readonly by: readonly RecordGrouping[]) {}

  add(record: ArchivedRecord): void {
    const group = this.by.map((grouping) => FORMAT_GROUP[grouping](record));
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
