import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../../../database/database.js';
import { readRecords } from '../usage-export.js';
import { sumUsage } from '../../../features/quota/usage-report.js';
import { UsageSummaries } from '../usage-summary.js';
import { formatDayNumber, type UsageRecord } from '../../../receipts/usage-record.js';
import { createFolder } from '../../../model/create-folder.js';
import type { CalendarMonth } from '../../billing/month.js';
import { OperatorError } from '../../operator-error.js';
import { listKeyNames, listTestKeys } from '../key-names.js';
import { formatJsonLine, isTestRecord } from '../export-line.js';
import {
  sumTotals,
  formatFileName,
  isEqualTotals,
  MANIFEST_NAME,
  formatManifest,
  type ArchivedFile,
  type Manifest,
} from './manifest.js';

/** Lines are compressed in chunks of about this length. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * Writes the records of a month to a new folder, which is created complete or not at all.
 * @param signal stops it, and removes what it wrote
 * @throws OperatorError if the folder is not empty, or the records do not match what was billed
 */
export async function writeArchive(
  database: Database,
  month: CalendarMonth,
  folder: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const target = resolve(folder);
  await requireEmpty(target, folder);
  const unfinished = `${target}.part-${randomBytes(4).toString('hex')}`;
  await createFolder(unfinished);
  const testKeys = await listTestKeys(database);
  try {
    const files: ArchivedFile[] = [];
    for (let day = month.from; day <= month.to; day += 1) {
      files.push(await writeDay(database, day, unfinished, testKeys, signal));
    }
    const manifest = await createManifest(database, month, files);
    await writeFile(join(unfinished, MANIFEST_NAME), formatManifest(manifest), { flush: true });
    await flushFolder(unfinished);
    await requireEmpty(target, folder);
    signal.throwIfAborted();
    await rename(unfinished, target);
    // The records may be pruned next: a power failure must not lose the archive.
    await flushFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!signal.aborted) throw error;
    throw new OperatorError('failed', 'stopped, and nothing was written: run the same command again');
  }
}

async function requireEmpty(target: string, folder: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw new OperatorError('invalid_arguments', `${folder} exists and is not empty: name a new folder`);
}

/** Writes the file of a day. A day without requests gets a file too, so that a lost file is noticed. */
async function writeDay(
  database: Database,
  day: number,
  folder: string,
  testKeys: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ArchivedFile> {
  const name = formatFileName(formatDayNumber(day));
  const file = { name, bytes: 0, records: 0, quota_units: 0, credits: 0 };
  const hash = createHash('sha256');
  await pipeline(
    chunksOf(readRecords(database, { from: day, to: day }), testKeys, (record) => {
      if (isTestRecord(record, testKeys)) return;
      file.records += 1;
      file.quota_units += record.quota_units;
      file.credits += record.credits;
    }),
    createGzip(),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        hash.update(chunk);
        file.bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(join(folder, name), { flags: 'wx', flush: true }),
    { signal },
  );
  return { ...file, sha256: hash.digest('hex') };
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
      `${month.month} has ${totals.records} records, but ${requests} requests were billed: some were pruned, or arrived while this ran; nothing was written`,
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

/** Makes the names in a folder durable. Ignores errors: some systems cannot flush a folder, and need not. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
