import type { Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import type { Platform } from '../../model/platforms.js';
import type { Assembled, AssembledKind } from '../../sources/assemble/assembly.js';
import type { FindCategory } from '../../sources/assemble/categories.js';
import { newestOf, observe } from '../../sources/assemble/members.js';
import type { DocumentLimit } from '../import/document-limit.js';
import { scopeOf } from '../import/observations.js';
import type { Prepared } from '../import/record-store.js';
import { STORES } from '../import/record-stores.js';
import { forgottenAmong, isAnybodyForgotten } from '../import/suppression.js';
import { inTableOrder, slicesOf, type Placed } from '../import/table-order.js';
import { lineOf } from '../sources/record-line.js';
import { gameCategories, type LoadedGames } from './loaded-games.js';
import { merge, type Merged, type StoredRecord } from './merge.js';
import { stateRow } from './state.js';
import { loadedHandles, storedRecords } from './stored-records.js';

/** What merging needs besides the records. */
export interface MergingContext {
  readonly find: FindCategory;
  readonly games: LoadedGames;
  /** What the database takes. */
  readonly documents: DocumentLimit;
  /** When responses without a time count as received. */
  readonly now: number;
}

/** What became of a record. */
export type Outcome =
  | { readonly record: Assembled; readonly isUpdate: boolean; readonly unresolved: string | null }
  | { readonly record: Assembled; readonly reason: string; readonly text: string };

interface Ready extends Prepared, Placed {
  readonly record: Assembled;
  readonly merged: Merged;
  readonly isUpdate: boolean;
  readonly text: string;
}

/** Merges records of one kind into what is stored, within a transaction under the writers' lock. */
export async function storeMerged(
  writer: Writer,
  kind: AssembledKind,
  records: readonly Assembled[],
  context: MergingContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const ready: Ready[] = [];
  for (const platform of new Set(records.map((record) => record.platform))) {
    const ofPlatform = records.filter((record) => record.platform === platform);
    ready.push(...(await prepared(writer, kind, platform, ofPlatform, context, outcomes)));
  }
  const allowed = await withoutForgotten(writer, kind, ready, outcomes);
  for (const slice of slicesOf(inTableOrder(allowed))) await STORES[kind].write(writer, slice);
  const observations = allowed.flatMap(({ record: { platform, id }, merged: { members, snapshots } }) =>
    newestOf(members) < 0 ? [] : [{ scope: scopeOf(kind, platform), id, ...stateRow(members, snapshots) }],
  );
  await writer.upsert(ObservationEntity, observations);
  for (const { record, isUpdate, merged } of allowed) {
    const isUnresolved = record.handle !== null && !merged.members.has('profile_id');
    outcomes.push({ record, isUpdate, unresolved: isUnresolved ? record.handle : null });
  }
  return outcomes;
}

async function prepared(
  writer: Writer,
  kind: AssembledKind,
  platform: Platform,
  records: readonly Assembled[],
  { find, games, documents, now }: MergingContext,
  outcomes: Outcome[],
): Promise<Ready[]> {
  const [stored, handles] = await Promise.all([
    storedRecords(writer, kind, platform, records),
    loadedHandles(writer, platform, kind === 'content' ? unresolvedOf(records) : []),
  ]);
  const all = records.flatMap((record) => {
    const before = stored.get(record.id) ?? null;
    // What only completes a record is worth nothing without one.
    if (before === null && record.fragments === 0) return [];
    return [{ record, before, merged: mergedOf(record, before, handles, now) }];
  });
  if (kind === 'content') {
    const needed = all.flatMap(({ merged }) => gameCategories(platform, merged.members, merged.snapshots));
    await games.load(writer, needed, find);
  }
  const findAll = games.besides(find);
  const store = STORES[kind];
  return all.flatMap(({ record, before, merged }) => {
    const line = lineOf(kind, merged.draft(findAll));
    if ('reason' in line) {
      outcomes.push({ record, reason: line.reason, text: line.text });
      return [];
    }
    const { row, related } = store.prepare(line.record as never);
    const problem = documents.problemOf(row.document);
    if (problem !== null) {
      outcomes.push({ record, reason: problem, text: line.text });
      return [];
    }
    const [identity, place] = [store.identityOf(row), store.placeOf(row)];
    const { text } = line;
    return [
      { record, merged, isUpdate: before !== null, text, row, related, identity, place, characters: text.length },
    ];
  });
}

const unresolvedOf = (records: readonly Assembled[]): string[] =>
  records.flatMap(({ handle, members }) => (handle === null || members.has('profile_id') ? [] : [handle]));

function mergedOf(
  record: Assembled,
  before: StoredRecord | null,
  handles: ReadonlyMap<string, string>,
  now: number,
): Merged {
  const merged = merge(record, before, now);
  const author = record.handle === null ? undefined : handles.get(record.handle);
  const isKnown = (merged.members.get('profile_id')?.value ?? null) !== null;
  if (author !== undefined && !isKnown) {
    observe(merged.members, 'profile_id', { at: Math.max(newestOf(record.members), 0), value: author });
  }
  return merged;
}

/** Rejects records about forgotten creators. @returns the others */
async function withoutForgotten(
  writer: Writer,
  kind: AssembledKind,
  ready: readonly Ready[],
  outcomes: Outcome[],
): Promise<Ready[]> {
  if (!(await isAnybodyForgotten(writer))) return [...ready];
  const store = STORES[kind];
  const isForgotten = await forgottenAmong(
    writer,
    ready.flatMap((one) => store.creatorsOf(one)),
  );
  return ready.filter((one) => {
    const isSuppressed = store.creatorsOf(one).some(isForgotten);
    if (isSuppressed) outcomes.push({ record: one.record, reason: 'suppressed', text: one.text });
    return !isSuppressed;
  });
}
