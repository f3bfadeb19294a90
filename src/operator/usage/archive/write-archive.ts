import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../../../database/database.js';
import { exportUsage } from '../usage-export.js';
import { sumUsage } from '../../../features/quota/usage-report.js';
import { UsageSummaries } from '../usage-summary.js';
import { dateOf, type UsageRecord } from '../../../receipts/usage-record.js';
import { createFolder } from '../../../model/create-folder.js';
import type { CalendarMonth } from '../../billing/month.js';
import { OperatorError } from '../../operator-error.js';
import { keyNames } from '../names.js';
import { jsonLine } from '../record-line.js';
import { addUp, fileOfDay, isSame, MANIFEST, manifestText, type ArchivedFile, type Manifest } from './manifest.js';

/** Lines are packed in pieces of about this length. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Writes a month's records into a folder of their own, which is there whole or not at all.
 * @throws OperatorError if the folder holds anything, or the records are not those that were billed
 */
export async function writeArchive(database: Database, month: CalendarMonth, folder: string): Promise<Manifest> {
  const target = resolve(folder);
  await requireFree(target, folder);
  const unfinished = `${target}.part-${randomBytes(4).toString('hex')}`;
  await createFolder(unfinished);
  try {
    const files: ArchivedFile[] = [];
    for (let day = month.from; day <= month.to; day += 1) files.push(await writeDay(database, day, unfinished));
    const manifest = await manifestOf(database, month, files);
    await writeFile(join(unfinished, MANIFEST), manifestText(manifest), { flush: true });
    await flushFolder(unfinished);
    await requireFree(target, folder);
    await rename(unfinished, target);
    // What is pruned next must not be lost with the power.
    await flushFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function requireFree(target: string, folder: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw new OperatorError(
    'invalid_arguments',
    `${folder} is there already, and an archive overwrites nothing: name a new folder`,
  );
}

/** A file for each day, without requests too: what is not there is missing. */
async function writeDay(database: Database, day: number, folder: string): Promise<ArchivedFile> {
  const name = fileOfDay(dateOf(day));
  const file = { name, bytes: 0, records: 0, quota_units: 0, credits: 0 };
  const hash = createHash('sha256');
  await pipeline(
    piecesOf(exportUsage(database, { from: day, to: day }), (record) => {
      file.records += 1;
      file.quota_units += record.quota_units;
      file.credits += record.credits;
    }),
    createGzip(),
    async function* (packed: AsyncIterable<Buffer>) {
      for await (const piece of packed) {
        hash.update(piece);
        file.bytes += piece.length;
        yield piece;
      }
    },
    createWriteStream(join(folder, name), { flags: 'wx', flush: true }),
  );
  return { ...file, sha256: hash.digest('hex') };
}

async function* piecesOf(
  records: AsyncIterable<readonly UsageRecord[]>,
  count: (record: UsageRecord) => void,
): AsyncGenerator<string> {
  let piece = '';
  for await (const some of records) {
    some.forEach(count);
    piece += some.map(jsonLine).join('');
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** @throws OperatorError if records and daily totals are not the same: the archive would prove no bill */
async function manifestOf(database: Database, month: CalendarMonth, files: readonly ArchivedFile[]): Promise<Manifest> {
  const billed = await new UsageSummaries(database).summary(month, ['key']);
  const { requests, ...rest } = sumUsage(billed);
  const totals = addUp(files);
  if (!isSame(totals, { records: requests, ...rest })) {
    throw new OperatorError(
      'failed',
      `${month.month} has ${totals.records} records, but ${requests} requests were billed: some were pruned, or came while this ran; nothing was written`,
    );
  }
  const names = await keyNames(database);
  const ids = billed.flatMap(({ group: [id = ''] }) => (id === '' ? [] : [id]));
  return {
    month: month.month,
    created_at: new Date().toISOString(),
    totals,
    keys: ids.map((id) => ({ id, name: names.get(id) ?? '' })),
    files: [...files],
  };
}

/** Makes the names in a folder durable; some systems have no such thing, and need none. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
