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

/** Records of one transaction. */
const BATCH = 2048;

/** Loads what was gathered, merged with what is stored. Each batch is stored whole or not at all. */
export async function ingest(
  database: Database,
  gathering: Gathering,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const assembly = gathering.assembly();
  const documents = await documentLimitOf(database);
  const context = { find: assembly.findCategory, games: new LoadedGames(), documents, now };
  for (const kind of ASSEMBLED_KINDS) {
    if (kind === 'content') await addLoadedGames(database, assembly.chapterGames);
    for (const batch of batchesOf(everythingOf(assembly, kind, gathering))) {
      await storeBatch(database, gathering, kind, batch, context);
      if (signal.aborted) return;
      await setTimeout(TURN_MS);
    }
  }
  for (const batch of batchesOf(assembly.socials())) await storeLinks(database, gathering, batch);
}

function* everythingOf(assembly: Assembly, kind: AssembledKind, { tally }: Gathering): Generator<Assembled> {
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
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function storeBatch(
  database: Database,
  gathering: Gathering,
  kind: AssembledKind,
  batch: readonly Assembled[],
  context: MergingContext,
): Promise<void> {
  const outcomes = await database.write(async (writer) => {
    await writer.lockData();
    return storeMerged(writer, kind, batch, context);
  });
  for (const outcome of outcomes) {
    if ('reason' in outcome) await gathering.rejectRecord(outcome.record, outcome.reason, outcome.text);
    else {
      gathering.tally.wrote(kind);
      if (outcome.isUpdate) gathering.tally.updated += 1;
      if (outcome.unresolved !== null) gathering.tally.unresolved(outcome.record.platform, outcome.unresolved);
    }
  }
}

/** Adds links to those that creators have. */
async function storeLinks(database: Database, gathering: Gathering, drafts: readonly object[]): Promise<void> {
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
    let toForgotten = 0;
    for (const line of lines) {
      const prepared = STORES.socials.prepare(line);
      if (STORES.socials.creatorsOf(prepared).some(isForgotten)) {
        toForgotten += 1;
        continue;
      }
      const [stored] = await writer.findMany(byOwner, platformCode(line.platform_id), [line.profile_id]);
      const before = stored === undefined ? [] : (JSON.parse(String(stored.document)) as SocialLink[]);
      merged.push({ ...line, links: unionOfLinks(before, line.links) });
    }
    await STORES.socials.write(
      writer,
      merged.map((line) => STORES.socials.prepare(line)),
    );
    return { written: merged.length, skipped: toForgotten };
  });
  for (let count = 0; count < skipped; count += 1) gathering.tally.skip('link to a forgotten creator');
  for (let count = 0; count < written; count += 1) gathering.tally.wrote('socials');
}

function unionOfLinks(before: readonly SocialLink[], found: readonly SocialLink[]): SocialLink[] {
  const isSame = (a: SocialLink, b: SocialLink) => a.id === b.id && a.platform_id === b.platform_id;
  return [...found, ...before.filter((link) => !found.some((other) => isSame(link, other)))];
}
