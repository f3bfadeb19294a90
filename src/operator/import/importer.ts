import { setTimeout } from 'node:timers/promises';
import type { Database, Reader, Writer } from '../../database/database.js';
import { readBatches, type ImportBatch, type BatchLimits, type ParsedRecord, type RejectedLine } from './batches.js';
import { readDocumentLimit } from './document-limit.js';
import type { LinePosition, LineReader } from './line-reader.js';
import { rejectOtherKind } from './reject-other-kind.js';
import { writeHistory } from './history-store.js';
import { hasAnyObservation, removeObservations } from './observations.js';
import { MAX_LINE_BYTES, type ImportKind } from './parse-line.js';
import { RECORD_STORES } from './record-stores.js';
import { Revisions } from './revisions.js';
import { findForgotten, FORGOTTEN_CREATOR, hasForgottenCreators } from './suppression.js';
import { prefetch, runAhead } from './run-ahead.js';
import { keepLatest, selectRepeated, sliceRecords } from './table-order.js';

/** Limits of one transaction. Two batches are in memory at the same time. */
const LIMITS: BatchLimits = { records: 8_192, bytes: 12 * 1024 * 1024 };

/** Slices in progress: one is written, one is queued with its reads done, and one reads. */
const SLICES_AT_A_TIME = 3;

/** Pause between transactions, so that other writers can acquire SQLite's lock. */
export const LOCK_YIELD_MS = 5;

/** Numbers of lines of an import. */
export interface ImportOutcome {
  /** Lines read, without blank ones. */
  lines: number;
  loaded: number;
  rejected: number;
}

/** State of an import between two batches. */
export interface Checkpoint {
  readonly position: LinePosition;
  readonly outcome: Readonly<ImportOutcome>;
}

/** State that an interrupted import saved with its last batch. */
export interface ResumePoint extends Checkpoint {
  /** Last stored line. The lines from `position` to it are only checked, because their rejects may not have been written. */
  readonly storedLine: number;
}

export interface ImportOptions {
  readonly strict: boolean;
  /** Checks all lines without storing them. */
  readonly dryRun?: boolean;
  /** Maximum length of a line; the default is `MAX_LINE_BYTES`. The reader must have the same. */
  readonly maxLineBytes?: number;
  /** Receives the rejected lines of a batch after the batch was stored. */
  readonly reject: (rejected: readonly RejectedLine[]) => Promise<void>;
  /** Called after each batch. @param bytes read from the input, approximately */
  readonly progress: (outcome: Readonly<ImportOutcome>, bytes: number) => void;
  /** Stops the import after the current batch. */
  readonly signal: AbortSignal;
  /** Where to resume. The reader must start there. */
  readonly resume?: ResumePoint | null;
  /** Saves in the transaction of a batch where to resume after it. */
  readonly save?: SaveProgress | null;
}

type SaveProgress = (writer: Writer, point: ResumePoint) => Promise<unknown>;

/** Imports one file. Each batch is one transaction. */
export async function importLines<K extends ImportKind>(
  database: Database,
  kind: K,
  reader: LineReader,
  {
    strict,
    dryRun = false,
    maxLineBytes = MAX_LINE_BYTES,
    reject,
    progress,
    signal,
    resume = null,
    save = null,
  }: ImportOptions,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { lines: 0, loaded: 0, rejected: 0, ...resume?.outcome };
  const storedLine = resume?.storedLine ?? 0;
  let position: LinePosition = resume?.position ?? { line: 0, offset: 0 };
  let expectsNew = false;
  try {
    const documents = await readDocumentLimit(database);
    const options = { strict, limits: LIMITS, maxLineBytes, documents, breakAfter: storedLine };
    for await (const batch of prefetch(readBatches(kind, reader, options))) {
      if (signal.aborted) break;
      if (resume === null && outcome.lines === 0 && batch.records.length === 0) rejectOtherKind(kind, batch.rejected);
      const point = { position, outcome, storedLine: batch.end.line };
      if (dryRun || batch.end.line <= storedLine) outcome.loaded += await checkBatch(database, kind, batch);
      else {
        const saveThere: SaveBatch = async (writer) => save?.(writer, point);
        const stored: BatchOutcome = await storeBatch(database, kind, batch, expectsNew, saveThere);
        outcome.loaded += stored.loaded;
        expectsNew = !stored.hasStored;
      }
      position = batch.end;
      const { rejected, lines, bytesRead } = batch;
      outcome.rejected += rejected.length;
      outcome.lines += lines;
      if (rejected.length > 0) await reject(rejected);
      progress(outcome, bytesRead);
      await setTimeout(LOCK_YIELD_MS);
    }
  } finally {
    reader.stop();
  }
  return outcome;
}

/** Saves in the transaction of a batch what belongs to it. */
type SaveBatch = (writer: Writer) => Promise<unknown>;

interface BatchOutcome {
  readonly loaded: number;
  /** Whether any record of the batch was stored before. */
  readonly hasStored: boolean;
}

/** Stores a batch in one transaction; the last version of a record wins. @param expectsNew whether all records are probably new
 * @returns lines loaded, including replaced ones, and whether any record was stored before */
async function storeBatch<K extends ImportKind>(
  database: Database,
  kind: K,
  batch: ImportBatch<K>,
  expectsNew: boolean,
  save: SaveBatch,
): Promise<BatchOutcome> {
  if (batch.records.length === 0) return { loaded: 0, hasStored: !expectsNew };
  const { loaded, suppressed, unfit, hasStored } = await database.write(async (writer) => {
    await writer.lockData();
    const revisions = new Revisions(writer, false, expectsNew);
    const [hasForgotten, hasObservations] = await Promise.all([
      hasForgottenCreators(writer),
      RECORD_STORES[kind].observationOf !== undefined && hasAnyObservation(writer),
    ]);
    const result: StoredBatch = { loaded: 0, suppressed: [], unfit: [] };
    await runAhead(sliceRecords(batch.records), SLICES_AT_A_TIME, async (slice) => {
      const known = hasForgotten ? await withoutForgotten(writer, kind, slice, result.suppressed) : slice;
      const allowed = await withoutProblems(writer, kind, known, result.unfit);
      await Promise.all([
        allowed.length > 0 && RECORD_STORES[kind].write(writer, keepLatest(allowed), revisions),
        hasObservations && removeOldObservations(writer, kind, allowed),
      ]);
      // Each of several versions in a file is an observation. Write these after those of stored versions, because of two at the same
      // time the one written last wins.
      await writeHistory(writer, heldObservations(kind, selectRepeated(allowed)));
      result.loaded += allowed.length;
    });
    // With `--strict` this throws, and the transaction stores nothing.
    if (batch.isStrict) rejectStored(batch, result);
    await save(writer);
    return { ...result, hasStored: revisions.hasStored };
  });
  rejectStored(batch, { suppressed, unfit });
  return { loaded, hasStored };
}

/** Checks a batch without storing it. @returns lines that would be loaded */
async function checkBatch<K extends ImportKind>(database: Database, kind: K, batch: ImportBatch<K>): Promise<number> {
  if (!(await hasForgottenCreators(database))) return batch.records.length;
  const suppressed: ParsedRecord[] = [];
  for (const slice of sliceRecords(batch.records)) await withoutForgotten(database, kind, slice, suppressed);
  rejectStored(batch, { suppressed, unfit: [] });
  return batch.records.length - suppressed.length;
}

/** Rejects valid lines that do not go with what is stored. */
function rejectStored<K extends ImportKind>(
  batch: ImportBatch<K>,
  { suppressed, unfit }: Pick<StoredBatch, 'suppressed' | 'unfit'>,
): void {
  for (const record of suppressed) batch.reject(record, FORGOTTEN_CREATOR);
  for (const { record, reason } of unfit) batch.reject(record, reason);
}

/** Result of storing a batch. */
interface StoredBatch {
  loaded: number;
  /** Records about forgotten creators. */
  readonly suppressed: ParsedRecord[];
  /** Records with another reason why they do not go with what is stored. */
  readonly unfit: { readonly record: ParsedRecord; readonly reason: string }[];
}

/** Moves records that do not go with what is stored to `unfit`. @returns the other records */
async function withoutProblems(
  writer: Writer,
  kind: ImportKind,
  records: readonly ParsedRecord[],
  unfit: StoredBatch['unfit'],
): Promise<readonly ParsedRecord[]> {
  const problems = await RECORD_STORES[kind].findProblems?.(
    writer,
    records.map(({ row }) => row),
  );
  if (problems === undefined) return records;
  return records.filter((record, index) => {
    const reason = problems[index] ?? null;
    if (reason !== null) unfit.push({ record, reason });
    return reason === null;
  });
}

/** Returns the observations that records hold. */
const heldObservations = (kind: ImportKind, records: readonly ParsedRecord[]) =>
  records.flatMap(({ row }) => RECORD_STORES[kind].heldObservationOf?.(row) ?? []);

/** Removes the observations of records that an import replaces: imported members have no observation time. */
async function removeOldObservations(
  writer: Writer,
  kind: ImportKind,
  records: readonly ParsedRecord[],
): Promise<void> {
  await removeObservations(
    writer,
    records.flatMap(({ row }) => RECORD_STORES[kind].observationOf?.(row) ?? []),
  );
}

/** Moves records about forgotten creators to `suppressed`. @returns the other records */
async function withoutForgotten(
  reader: Reader,
  kind: ImportKind,
  slice: readonly ParsedRecord[],
  suppressed: ParsedRecord[],
): Promise<ParsedRecord[]> {
  const store = RECORD_STORES[kind];
  const isForgotten = await findForgotten(
    reader,
    slice.flatMap((record) => store.creatorsOf(record)),
  );
  return slice.filter((record) => {
    const isSuppressed = store.creatorsOf(record).some(isForgotten);
    if (isSuppressed) suppressed.push(record);
    return !isSuppressed;
  });
}
