import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { SocialLinksEntity } from '../../features/analysis/analysis.entities.js';
import type { SocialLink, SocialsLine } from '../../features/analysis/social-link.js';
import { platformCode } from '../../model/platforms.js';
import { ASSEMBLED_KINDS, type Assembled, type AssembledKind, type Assembly } from '../../sources/assemble/assembly.js';
import { documentLimitOf } from '../import/document-limit.js';
import { TURN_MS } from '../import/importer.js';
import { STORES } from '../import/record-stores.js';
import { forgottenAmong } from '../import/suppression.js';
import type { Gathering } from '../sources/gathering.js';
import { lineOf } from '../sources/record-line.js';
import { LoadedGames } from './loaded-games.js';
import { addLoadedGames } from './name-chapters.js';
import { storeMerged, type MergingContext } from './store-merged.js';

/** Records per transaction. */
const BATCH_SIZE = 2048;

/** Merges the records of a run with the stored records, and stores them. Each batch is one transaction. */
export async function ingest(
  database: Database,
  sourceRun: Gathering,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const assembly = sourceRun.assembly();
  const documents = await documentLimitOf(database);
  const context = { find: assembly.findCategory, games: new LoadedGames(), documents, now };
  for (const kind of ASSEMBLED_KINDS) {
    if (kind === 'content') await addLoadedGames(database, assembly.chapterGames);
    for (const batch of batchesOf(recordsOf(assembly, kind, sourceRun))) {
      await storeBatch(database, sourceRun, kind, batch, context);
      if (signal.aborted) return;
      await setTimeout(TURN_MS);
    }
  }
  for (const batch of batchesOf(assembly.socials())) await storeLinks(database, sourceRun, batch);
}

function* recordsOf(assembly: Assembly, kind: AssembledKind, { tally }: Gathering): Generator<Assembled> {
  for (const record of assembly.records(kind)) {
    tally.assembled(record);
    yield record;
  }
  if (kind !== 'games') yield* assembly.supplements(kind);
}

function* batchesOf<T>(records: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function storeBatch(
  database: Database,
  sourceRun: Gathering,
  kind: AssembledKind,
  batch: readonly Assembled[],
  context: MergingContext,
): Promise<void> {
  const outcomes = await database.write(async (writer) => {
    await writer.lockData();
    return storeMerged(writer, kind, batch, context);
  });
  for (const outcome of outcomes) {
    if ('reason' in outcome) await sourceRun.rejectRecord(outcome.record, outcome.reason, outcome.text);
    else {
      sourceRun.tally.wrote(kind);
      if (outcome.isUpdate) sourceRun.tally.updated += 1;
      if (outcome.unresolved !== null) sourceRun.tally.unresolved(outcome.record.platform, outcome.unresolved);
    }
  }
}

/** Adds links to the stored links of creators. */
async function storeLinks(database: Database, sourceRun: Gathering, drafts: readonly object[]): Promise<void> {
  const lines = drafts.flatMap((draft) => {
    const line = lineOf('socials', draft);
    return 'reason' in line ? [] : [line.record];
  });
  const { written, skipped } = await database.write(async (writer) => {
    await writer.lockData();
    const isForgotten = await forgottenAmong(
      writer,
      lines.flatMap((line) => STORES.socials.creatorsOf(STORES.socials.prepare(line))),
    );
    const columns = ['document'] as const;
    const byOwner = writer.lookup({ entity: SocialLinksEntity, group: 'platform', id: 'profile_id', columns });
    const merged: SocialsLine[] = [];
    let skippedLines = 0;
    for (const line of lines) {
      const prepared = STORES.socials.prepare(line);
      if (STORES.socials.creatorsOf(prepared).some(isForgotten)) {
        skippedLines += 1;
        continue;
      }
      const [stored] = await writer.findMany(byOwner, platformCode(line.platform_id), [line.profile_id]);
      const storedLinks = stored === undefined ? [] : (JSON.parse(String(stored.document)) as SocialLink[]);
      merged.push({ ...line, links: mergeLinks(storedLinks, line.links) });
    }
    await STORES.socials.write(
      writer,
      merged.map((line) => STORES.socials.prepare(line)),
    );
    return { written: merged.length, skipped: skippedLines };
  });
  for (let count = 0; count < skipped; count += 1) sourceRun.tally.skip('link to a forgotten creator');
  for (let count = 0; count < written; count += 1) sourceRun.tally.wrote('socials');
}

/** Returns the new links, followed by the stored links that they do not replace. */
function mergeLinks(stored: readonly SocialLink[], added: readonly SocialLink[]): SocialLink[] {
  const isSame = (a: SocialLink, b: SocialLink) => a.id === b.id && a.platform_id === b.platform_id;
  return [...added, ...stored.filter((link) => !added.some((other) => isSame(link, other)))];
}
