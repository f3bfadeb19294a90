import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Database, Reader, Writer } from '../../database/database.js';
import { SocialLinksEntity } from '../../features/analysis/analysis.entities.js';
import type { SocialLink, SocialsLine } from '../../features/analysis/social-link.js';
import { platformCode } from '../../model/platforms.js';
import {
  ASSEMBLED_KINDS,
  type AssembledRecord,
  type AssembledKind,
  type Assembly,
} from '../../sources/assemble/assembly.js';
import type { RunCounters } from '../../sources/report.js';
import { readDocumentLimit } from '../import/document-limit.js';
import { LOCK_YIELD_MS } from '../import/importer.js';
import { prefetch } from '../import/run-ahead.js';
import { RECORD_STORES } from '../import/record-stores.js';
import { Revisions } from '../import/revisions.js';
import { findForgotten } from '../import/suppression.js';
import { createImportLine } from '../sources/import-line.js';
import { findRenamedContent } from './renamed-content.js';
import { LoadedGames } from './loaded-games.js';
import { loadChapterGames } from './load-chapter-games.js';
import { checkMergedRecords, storeMergedRecords, type MergeContext } from './store-merged.js';

/** Records per transaction. */
const BATCH_SIZE = 4096;

/** Records that are merged without a pause, in some milliseconds. */
const PAUSE_AFTER = 128;

/** The records of a run, and where to report what becomes of them. */
export interface IngestedRun {
  readonly tally: RunCounters;
  /** Creates an assembly of the records that were read. */
  createAssembly(): Assembly;
  /** Notes a record that cannot be stored. */
  rejectRecord(record: AssembledRecord, reason: string, text: string): Promise<void>;
}

export interface IngestRunOptions {
  /** Time of responses that do not name one, in milliseconds since 1970. */
  readonly now: number;
  /** Merges and counts the records without storing them. */
  readonly dryRun?: boolean;
  /** Called after each batch. */
  readonly progress?: () => void;
  /** Stops the run after the current batch. */
  readonly signal: AbortSignal;
}

/** Merges the records of a run with the stored records, and stores them. Each batch is one transaction. */
export async function ingest(
  database: Database,
  sourceRun: IngestedRun,
  { now, dryRun = false, progress, signal }: IngestRunOptions,
): Promise<void> {
  const assembly = sourceRun.createAssembly();
  const documents = await readDocumentLimit(database);
  const context = { find: assembly.findCategory, games: new LoadedGames(), documents, now };
  for (const kind of ASSEMBLED_KINDS) {
    if (kind === 'content') await loadChapterGames(database, assembly.chapterGames);
    // Waits, because the caller closes the assembly.
    for await (const batch of prefetch(batchesOf(recordsOf(assembly, kind, sourceRun)), true)) {
      await storeBatch(database, sourceRun, kind, batch, context, dryRun);
      progress?.();
      if (signal.aborted) return;
      await setTimeout(LOCK_YIELD_MS);
    }
  }
  for await (const batch of findRenamedContent(database, assembly)) {
    await storeBatch(database, sourceRun, 'content', batch, context, dryRun);
    progress?.();
    if (signal.aborted) return;
    await setTimeout(LOCK_YIELD_MS);
  }
  for await (const batch of batchesOf(assembly.mutualLinks())) {
    await storeLinks(database, sourceRun, batch, dryRun);
    progress?.();
  }
}

function* recordsOf(assembly: Assembly, kind: AssembledKind, { tally }: IngestedRun): Generator<AssembledRecord> {
  for (const record of assembly.records(kind)) {
    tally.countAssembled(record);
    yield record;
  }
  if (kind !== 'games') yield* assembly.supplements(kind);
}

/** Groups records into batches. It pauses between some, so that the batch before them can be stored meanwhile. */
async function* batchesOf<T>(records: Iterable<T>): AsyncGenerator<T[], void> {
  let batch: T[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length % PAUSE_AFTER === 0) await setImmediate();
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function storeBatch(
  database: Database,
  sourceRun: IngestedRun,
  kind: AssembledKind,
  batch: readonly AssembledRecord[],
  context: MergeContext,
  isDryRun: boolean,
): Promise<void> {
  const outcomes = isDryRun
    ? await checkMergedRecords(database, kind, batch, context)
    : await database.write(async (writer) => {
        await writer.lockData();
        return storeMergedRecords(writer, kind, batch, context);
      });
  for (const outcome of outcomes) {
    if ('reason' in outcome) await sourceRun.rejectRecord(outcome.record, outcome.reason, outcome.text);
    else {
      sourceRun.tally.countWritten(kind);
      if (outcome.isUpdate) sourceRun.tally.updated += 1;
      if (outcome.unresolved !== null)
        sourceRun.tally.countUnresolvedAuthor(outcome.record.platform, outcome.unresolved);
    }
  }
}

/** Adds links to the stored links of creators. */
async function storeLinks(
  database: Database,
  sourceRun: IngestedRun,
  drafts: readonly object[],
  isDryRun: boolean,
): Promise<void> {
  const lines = drafts.flatMap((draft) => {
    const line = createImportLine('socials', draft);
    return 'reason' in line ? [] : [line.record];
  });
  const merged = isDryRun
    ? await addStoredLinks(database, lines)
    : await database.write(async (writer) => {
        await writer.lockData();
        return writeLinks(writer, await addStoredLinks(writer, lines));
      });
  for (let count = merged.length; count < lines.length; count += 1) {
    sourceRun.tally.countSkipped('link to a forgotten creator');
  }
  for (let count = 0; count < merged.length; count += 1) sourceRun.tally.countWritten('socials');
}

async function writeLinks(writer: Writer, lines: readonly SocialsLine[]): Promise<readonly SocialsLine[]> {
  await RECORD_STORES.socials.write(
    writer,
    lines.map((line) => RECORD_STORES.socials.prepare(line)),
    new Revisions(writer),
  );
  return lines;
}

/** Adds the stored links to new ones. Drops lines about forgotten creators. */
async function addStoredLinks(reader: Reader, lines: readonly SocialsLine[]): Promise<SocialsLine[]> {
  const creatorsOf = (line: SocialsLine) => RECORD_STORES.socials.creatorsOf(RECORD_STORES.socials.prepare(line));
  const isForgotten = await findForgotten(reader, lines.flatMap(creatorsOf));
  const columns = ['document'] as const;
  const byOwner = reader.lookup({ entity: SocialLinksEntity, group: 'platform', id: 'profile_id', columns });
  const merged: SocialsLine[] = [];
  for (const line of lines) {
    if (creatorsOf(line).some(isForgotten)) continue;
    const [stored] = await reader.findMany(byOwner, platformCode(line.platform_id), [line.profile_id]);
    const storedLinks = stored === undefined ? [] : (JSON.parse(String(stored.document)) as SocialLink[]);
    merged.push({ ...line, links: mergeLinks(storedLinks, line.links) });
  }
  return merged;
}

/** Returns the new links, followed by the stored links that they do not replace. */
function mergeLinks(stored: readonly SocialLink[], added: readonly SocialLink[]): SocialLink[] {
  const isSame = (a: SocialLink, b: SocialLink) => a.id === b.id && a.platform_id === b.platform_id;
  return [...added, ...stored.filter((link) => !added.some((other) => isSame(link, other)))];
}
