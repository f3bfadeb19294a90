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

/** Look-ups and limits for merging. */
export interface MergingContext {
  readonly find: FindCategory;
  readonly games: LoadedGames;
  /** Limit of the length of documents. */
  readonly documents: DocumentLimit;
  /** Time of responses that do not name one, in milliseconds since 1970. */
  readonly now: number;
}

/** Result of storing a record: stored or rejected. */
export type Outcome =
  | { readonly record: Assembled; readonly isUpdate: boolean; readonly unresolved: string | null }
  | { readonly record: Assembled; readonly reason: string; readonly text: string };

interface ReadyRecord extends Prepared, Placed {
  readonly record: Assembled;
  readonly merged: Merged;
  readonly isUpdate: boolean;
  readonly text: string;
}

/** Merges records of one kind with the stored records, in a transaction that holds the writers' lock. */
export async function storeMerged(
  writer: Writer,
  kind: AssembledKind,
  records: readonly Assembled[],
  context: MergingContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const ready: ReadyRecord[] = [];
  for (const platform of new Set(records.map((record) => record.platform))) {
    const platformRecords = records.filter((record) => record.platform === platform);
    ready.push(...(await prepareRecords(writer, kind, platform, platformRecords, context, outcomes)));
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

async function prepareRecords(
  writer: Writer,
  kind: AssembledKind,
  platform: Platform,
  records: readonly Assembled[],
  { find, games, documents, now }: MergingContext,
  outcomes: Outcome[],
): Promise<ReadyRecord[]> {
  const [stored, handles] = await Promise.all([
    storedRecords(writer, kind, platform, records),
    loadedHandles(writer, platform, kind === 'content' ? unresolvedHandles(records) : []),
  ]);
  const all = records.flatMap((record) => {
    const previous = stored.get(record.id) ?? null;
    // A supplement without a record is dropped.
    if (previous === null && record.fragments === 0) return [];
    return [{ record, previous, merged: mergeWithAuthor(record, previous, handles, now) }];
  });
  if (kind === 'content') {
    const needed = all.flatMap(({ merged }) => gameCategories(platform, merged.members, merged.snapshots));
    await games.load(writer, needed, find);
  }
  const findAll = games.besides(find);
  const store = STORES[kind];
  return all.flatMap(({ record, previous, merged }) => {
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
      { record, merged, isUpdate: previous !== null, text, row, related, identity, place, characters: text.length },
    ];
  });
}

const unresolvedHandles = (records: readonly Assembled[]): string[] =>
  records.flatMap(({ handle, members }) => (handle === null || members.has('profile_id') ? [] : [handle]));

/** Merges a record, and resolves the handle of its author to an ID. */
function mergeWithAuthor(
  record: Assembled,
  previous: StoredRecord | null,
  handles: ReadonlyMap<string, string>,
  now: number,
): Merged {
  const merged = merge(record, previous, now);
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
  ready: readonly ReadyRecord[],
  outcomes: Outcome[],
): Promise<ReadyRecord[]> {
  if (!(await isAnybodyForgotten(writer))) return [...ready];
  const store = STORES[kind];
  const isForgotten = await forgottenAmong(
    writer,
    ready.flatMap((record) => store.creatorsOf(record)),
  );
  return ready.filter((candidate) => {
    const isSuppressed = store.creatorsOf(candidate).some(isForgotten);
    if (isSuppressed) outcomes.push({ record: candidate.record, reason: 'suppressed', text: candidate.text });
    return !isSuppressed;
  });
}
