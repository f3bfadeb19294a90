import type { Reader, Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import type { Stored } from '../../database/statements.js';
import type { HistoryEntity } from '../../features/history/history.entity.js';
import type { Platform } from '../../model/platforms.js';
import type { AssembledRecord, AssembledKind } from '../../sources/assemble/assembly.js';
import type { FindCategory } from '../../sources/assemble/categories.js';
import { latestObservation, observe } from '../../sources/assemble/observations.js';
import type { DocumentLimit } from '../import/document-limit.js';
import { writeHistory } from '../import/history-store.js';
import { observationScope } from '../import/observations.js';
import type { PreparedRecord } from '../import/prepared-record.js';
import { RECORD_STORES } from '../import/record-stores.js';
import { Revisions } from '../import/revisions.js';
import { runAhead } from '../import/run-ahead.js';
import { findForgotten, FORGOTTEN_CREATOR, hasForgottenCreators } from '../import/suppression.js';
import { sortByTableKey, sliceRecords, type KeyedRecord } from '../import/table-order.js';
import { createImportLine } from '../sources/import-line.js';
import { listGameCategories, type LoadedGames } from './loaded-games.js';
import { mergeRecord, type MergedRecord, type StoredRecord } from './merge.js';
import { createObservationRow } from './observation-state.js';
import { holdLatestDay, observedHistory } from './observed-history.js';
import { findHandleOwners, findStoredRecords } from './stored-records.js';

/** Look-ups and limits for merging. */
export interface MergeContext {
  readonly find: FindCategory;
  readonly games: LoadedGames;
  /** Limit of the length of documents. */
  readonly documents: DocumentLimit;
  /** Time of responses that do not name one, in milliseconds since 1970. */
  readonly now: number;
}

/** Result of storing a record: stored or rejected. */
export type MergeOutcome =
  | { readonly record: AssembledRecord; readonly isUpdate: boolean; readonly unresolved: string | null }
  | { readonly record: AssembledRecord; readonly reason: string; readonly text: string };

interface ReadyRecord extends PreparedRecord, KeyedRecord {
  readonly record: AssembledRecord;
  readonly merged: MergedRecord;
  readonly isUpdate: boolean;
  readonly text: string;
  readonly days: readonly Stored<HistoryEntity>[];
}

/** Records that are merged at a time. */
const GROUP_SIZE = 512;

/** Groups in progress: one is written, and the next ones are read and merged meanwhile. */
const GROUPS_AT_A_TIME = 2;

/** Merges records of one kind with the stored records, in a transaction that holds the writers' lock. No two are the same record. */
export async function storeMergedRecords(
  writer: Writer,
  kind: AssembledKind,
  records: readonly AssembledRecord[],
  context: MergeContext,
): Promise<MergeOutcome[]> {
  context.games.trim();
  const revisions = new Revisions(writer, false, true);
  const outcomes: MergeOutcome[][] = [];
  await runAhead(groupsOf(records).entries(), GROUPS_AT_A_TIME, async ([index, group]) => {
    const merged = await mergeRecords(writer, kind, group, context);
    outcomes[index] = merged.outcomes;
    revisions.hasStored ||= merged.allowed.some(({ isUpdate }) => isUpdate);
    await writeMerged(writer, kind, merged.allowed, revisions);
  });
  return outcomes.flat();
}

function groupsOf<T>(records: readonly T[]): T[][] {
  const starts = Array.from({ length: Math.ceil(records.length / GROUP_SIZE) }, (_, index) => index * GROUP_SIZE);
  return starts.map((start) => records.slice(start, start + GROUP_SIZE));
}

async function writeMerged(
  writer: Writer,
  kind: AssembledKind,
  records: readonly ReadyRecord[],
  revisions: Revisions,
): Promise<void> {
  const observations = records.flatMap(({ record: { platform, id }, merged: { members, snapshots } }) =>
    latestObservation(members) < 0
      ? []
      : [{ scope: observationScope(kind, platform), id, ...createObservationRow(members, snapshots) }],
  );
  const writeRecords = async () => {
    for (const slice of sliceRecords(sortByTableKey(records))) {
      await RECORD_STORES[kind].write(writer, slice, revisions);
    }
  };
  await Promise.all([writeRecords(), writer.upsert(ObservationEntity, observations)]);
  await writeHistory(
    writer,
    records.flatMap(({ days }) => days),
  );
}

/** Merges records of one kind with the stored records, without storing them. @returns what storing them would return */
export async function checkMergedRecords(
  reader: Reader,
  kind: AssembledKind,
  records: readonly AssembledRecord[],
  context: MergeContext,
): Promise<MergeOutcome[]> {
  context.games.trim();
  return (await mergeRecords(reader, kind, records, context)).outcomes;
}

async function mergeRecords(
  reader: Reader,
  kind: AssembledKind,
  records: readonly AssembledRecord[],
  context: MergeContext,
): Promise<{ readonly allowed: readonly ReadyRecord[]; readonly outcomes: MergeOutcome[] }> {
  const outcomes: MergeOutcome[] = [];
  const ready: ReadyRecord[] = [];
  for (const platform of new Set(records.map((record) => record.platform))) {
    const platformRecords = records.filter((record) => record.platform === platform);
    ready.push(...(await prepareRecords(reader, kind, platform, platformRecords, context, outcomes)));
  }
  const allowed = await withoutForgotten(reader, kind, ready, outcomes);
  for (const { record, isUpdate, merged } of allowed) {
    const isUnresolved = record.handle !== null && !merged.members.has('profile_id');
    outcomes.push({ record, isUpdate, unresolved: isUnresolved ? record.handle : null });
  }
  return { allowed, outcomes };
}

async function prepareRecords(
  reader: Reader,
  kind: AssembledKind,
  platform: Platform,
  records: readonly AssembledRecord[],
  { find, games, documents, now }: MergeContext,
  outcomes: MergeOutcome[],
): Promise<ReadyRecord[]> {
  const [stored, handles] = await Promise.all([
    findStoredRecords(reader, kind, platform, records),
    findHandleOwners(reader, platform, kind === 'content' ? unresolvedHandles(records) : []),
  ]);
  const all = records.flatMap((record) => {
    const previous = stored.get(record.id) ?? null;
    // A supplement without a record is dropped.
    if (previous === null && record.fragments === 0) return [];
    return [{ record, previous, merged: mergeWithAuthor(record, previous, handles, now) }];
  });
  if (kind === 'content') {
    const needed = all.flatMap(({ merged }) => listGameCategories(platform, merged.members, merged.snapshots));
    await games.load(reader, needed, find);
  }
  const findAll = games.withFallback(find);
  const store = RECORD_STORES[kind];
  return all.flatMap(({ record, previous, merged }) => {
    const line = createImportLine(kind, merged.draft(findAll));
    if ('reason' in line) {
      outcomes.push({ record, reason: line.reason, text: line.text });
      return [];
    }
    const { related, ...prepared } = store.prepare(line.record as never);
    const observed = observedHistory(record, previous);
    const { row, days } = holdLatestDay(prepared.row, observed, store.heldObservationOf?.(prepared.row));
    const problem = documents.findProblem(row.document);
    if (problem !== null) {
      outcomes.push({ record, reason: problem, text: line.text });
      return [];
    }
    const identity = store.identityOf(row);
    const sortKey = store.sortKeyOf?.(row) ?? identity;
    const { text } = line;
    const isUpdate = previous !== null;
    return [{ record, merged, isUpdate, days, text, row, related, identity, sortKey, characters: text.length }];
  });
}

const unresolvedHandles = (records: readonly AssembledRecord[]): string[] =>
  records.flatMap(({ handle, members }) => (handle === null || members.has('profile_id') ? [] : [handle]));

/** Merges a record, and resolves the handle of its author to an ID. */
function mergeWithAuthor(
  record: AssembledRecord,
  previous: StoredRecord | null,
  handles: ReadonlyMap<string, string>,
  now: number,
): MergedRecord {
  const merged = mergeRecord(record, previous, now);
  const author = record.handle === null ? undefined : handles.get(record.handle);
  const isKnown = (merged.members.get('profile_id')?.value ?? null) !== null;
  if (author !== undefined && !isKnown) {
    observe(merged.members, 'profile_id', { at: Math.max(latestObservation(record.members), 0), value: author });
  }
  return merged;
}

/** Rejects records about forgotten creators. @returns the others */
async function withoutForgotten(
  reader: Reader,
  kind: AssembledKind,
  ready: readonly ReadyRecord[],
  outcomes: MergeOutcome[],
): Promise<ReadyRecord[]> {
  if (!(await hasForgottenCreators(reader))) return [...ready];
  const store = RECORD_STORES[kind];
  const isForgotten = await findForgotten(
    reader,
    ready.flatMap((record) => store.creatorsOf(record)),
  );
  return ready.filter((candidate) => {
    const isSuppressed = store.creatorsOf(candidate).some(isForgotten);
    if (isSuppressed) outcomes.push({ record: candidate.record, reason: FORGOTTEN_CREATOR, text: candidate.text });
    return !isSuppressed;
  });
}
