import { join } from 'node:path';
import type { Database } from '../../../database/database.js';
import { readRecords } from '../usage-export.js';
import { sumUsage } from '../../../features/quota/usage-sums.js';
import { UsageSummaries } from '../usage-summary.js';
import { formatDayNumber, type UsageRecord } from '../../../receipts/usage-record.js';
import type { CalendarMonth } from '../../billing/month.js';
import { writeManifest } from '../../manifest-file.js';
import { createFolderAtOnce } from '../../new-folder.js';
import { OperatorError } from '../../operator-error.js';
import { writePackedFile } from '../../packed-file.js';
import { listKeyNames, listTestKeys } from '../key-names.js';
import { formatJsonLine, isTestRecord } from '../export-line.js';
import { countOf } from '../../../model/counts.js';
import {
  ARCHIVE_FORMAT,
  sumTotals,
  formatFileName,
  isEqualTotals,
  type ArchivedFile,
  type Manifest,
} from './manifest.js';

/** A new archive. */
export interface WrittenArchive {
  readonly manifest: Manifest;
  /** Records of test keys, which the totals of the manifest leave out. */
  readonly testRecords: number;
}

/** Lines are compressed in chunks of about this length. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * Writes the records of a month to a new folder, which is created complete or not at all.
 * @param signal stops it, and removes what it wrote
 * @throws OperatorError if the folder is not empty, or the records do not match what was billed
 */
export function writeArchive(
  database: Database,
  month: CalendarMonth,
  folder: string,
  signal: AbortSignal,
): Promise<WrittenArchive> {
  return createFolderAtOnce(folder, signal, async (unfinished) => {
    const testKeys = await listTestKeys(database);
    const files: ArchivedFile[] = [];
    let testRecords = 0;
    const countTest = () => (testRecords += 1);
    for (let day = month.from; day <= month.to; day += 1) {
      files.push(await writeDay(database, day, unfinished, { testKeys, countTest }, signal));
    }
    const manifest = await createManifest(database, month, files);
    await writeManifest(ARCHIVE_FORMAT, unfinished, manifest);
    return { manifest, testRecords };
  });
}

/** Writes the file of a day. A day without requests gets a file too, so that a lost file is noticed. */
async function writeDay(
  database: Database,
  day: number,
  folder: string,
  { testKeys, countTest }: { readonly testKeys: ReadonlySet<string>; readonly countTest: () => void },
  signal: AbortSignal,
): Promise<ArchivedFile> {
  const name = formatFileName(formatDayNumber(day));
  const sums = { records: 0, quota_units: 0, credits: 0 };
  const chunks = chunksOf(readRecords(database, { from: day, to: day }), testKeys, (record) => {
    if (isTestRecord(record, testKeys)) return countTest();
    sums.records += 1;
    sums.quota_units += record.quota_units;
    sums.credits += record.credits;
  });
  const { bytes, sha256 } = await writePackedFile(join(folder, name), chunks, { signal });
  return { name, bytes, ...sums, sha256 };
}

async function* chunksOf(
  records: AsyncIterable<readonly UsageRecord[]>,
  testKeys: ReadonlySet<string>,
  count: (record: UsageRecord) => void,
): AsyncGenerator<string> {
  let chunk = '';
  for await (const group of records) {
    group.forEach(count);
    chunk += group.map((record) => formatJsonLine(record, testKeys)).join('');
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** @throws OperatorError if the records do not match the daily totals: the archive could not prove the bill */
async function createManifest(
  database: Database,
  month: CalendarMonth,
  files: readonly ArchivedFile[],
): Promise<Manifest> {
  const billed = await new UsageSummaries(database).sum(month, ['key']);
  const { requests, ...rest } = sumUsage(billed);
  const totals = sumTotals(files);
  if (!isEqualTotals(totals, { records: requests, ...rest })) {
    throw new OperatorError(
      'failed',
      `${month.month} has ${countOf(totals.records, 'record')}, but ${countOf(requests, 'request was', 'requests were')} billed: some were pruned, or arrived while this ran; nothing was written`,
    );
  }
  const names = await listKeyNames(database);
  const ids = billed.flatMap(({ group: [id = ''] }) => (id === '' ? [] : [id]));
  return {
    month: month.month,
    created_at: new Date().toISOString(),
    totals,
    keys: ids.map((id) => ({ id, name: names.get(id) ?? '' })),
    files: [...files],
  };
}
