import { setTimeout } from 'node:timers/promises';
import type { Dialect } from '../../database/columns.js';
import type { Database, Writer } from '../../database/database.js';
import { Intake, StrictImportError, type LineWindow, type Rejected, type Waiting } from './intake.js';
import type { LineReader } from './line-reader.js';
import type { ImportKind } from './parse-line.js';
import { RecordsAside, RecordsInMemory, type ReadRecord } from './record-buffers.js';
import { STORES } from './record-stores.js';
import { forgottenAmong, isAnybodyForgotten } from './suppression.js';

/** Records are handed to the database this many at a time, or fewer large ones. */
const SLICE_RECORDS = 1024;
const SLICE_CHARACTERS = 1280 * 1024;

/** Slices of one transaction. */
const BATCH_SLICES = 16;

/**
 * The more records are sorted at a time, the fewer pages it takes to store them. MySQL writes its pages to the disk
 * soon, so this is worth a temporary file; those of the embedded database stay in the memory of the system, and it is
 * kept waiting by whatever is done beside.
 */
const WAITING: Readonly<Record<Dialect, Waiting>> = {
  sqlite: {
    enough: { records: 7_168, bytes: 10 * 1024 * 1024 },
    most: { records: 14_336, bytes: 20 * 1024 * 1024 },
    buffer: () => new RecordsInMemory(),
  },
  mysql: {
    enough: { records: 16_384, bytes: 20 * 1024 * 1024 },
    most: { records: 294_912, bytes: 256 * 1024 * 1024 },
    buffer: () => new RecordsAside(),
  },
};

/** Between two transactions, so that others who wait for the embedded database find it free. */
const TURN_MS = 5;

export interface ImportOutcome {
  /** Lines behind us, blank ones aside. */
  lines: number;
  loaded: number;
  rejected: number;
}

export interface ImportOptions {
  /** Stop at the first bad line. */
  readonly strict: boolean;
  /** Receives bad lines once the lines around them are stored. */
  readonly reject: (rejected: readonly Rejected[]) => Promise<void>;
  /** Is told after each batch. @param bytes of the input that are behind us, about */
  readonly progress: (outcome: Readonly<ImportOutcome>, bytes: number) => void;
  /** Ends the import after the batch at hand. */
  readonly signal: AbortSignal;
}

/**
 * Loads one file. Its lines come in windows, each of which is stored in the order of the table's key, in batches that
 * are there whole or not at all.
 */
export async function importLines<K extends ImportKind>(
  database: Database,
  kind: K,
  reader: LineReader,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { lines: 0, loaded: 0, rejected: 0 };
  const reject = async (window: LineWindow) => {
    const rejected = window.takeRejected();
    outcome.rejected += rejected.length;
    if (rejected.length > 0) await options.reject(rejected);
  };
  const intake = new Intake(kind, reader, options.strict, WAITING[database.dialect]);
  try {
    let bytesBehind = 0;
    for (let window = await intake.take(); window !== null; window = await intake.take()) {
      const bytes = window.bytesRead - bytesBehind;
      for await (const { loaded, share } of storeWindow(database, kind, window, options)) {
        outcome.loaded += loaded;
        // All may turn out to be about forgotten creators.
        if (window.hasManyRejected) await reject(window);
        options.progress(outcome, bytesBehind + share * bytes);
      }
      if (options.signal.aborted) break;
      await reject(window);
      bytesBehind += bytes;
      outcome.lines += window.lines;
      options.progress(outcome, bytesBehind);
    }
  } finally {
    intake.close();
  }
  return outcome;
}

/** Stores a window, and tells of each batch how many lines it loaded, and what share of the window is behind us. */
async function* storeWindow<K extends ImportKind>(
  database: Database,
  kind: K,
  window: LineWindow,
  { strict, signal }: ImportOptions,
): AsyncGenerator<{ loaded: number; share: number }, void> {
  const suppress = (record: ReadRecord) => {
    window.reject(record, 'suppressed');
    if (strict) throw new StrictImportError({ line: record.number, reason: 'suppressed', text: record.text });
  };
  const slices = window.sorting.slices(SLICE_RECORDS, SLICE_CHARACTERS);
  const total = window.sorting.records;
  let behind = 0;
  try {
    for (let next = slices.next(); next.done !== true && !signal.aborted;) {
      let loaded = 0;
      await database.write(async (writer) => {
        await writer.lockData();
        const forgotten = (await isAnybodyForgotten(writer)) ? suppress : null;
        for (let count = 0; count < BATCH_SLICES && next.done !== true; count += 1) {
          const slice = next.value;
          behind += slice.length;
          // One is stored as the next is read back.
          const storing = storeSlice(writer, kind, slice, forgotten);
          try {
            next = slices.next();
          } finally {
            loaded += await storing;
          }
        }
      });
      yield { loaded, share: behind / total };
      await setTimeout(TURN_MS);
    }
  } finally {
    window.sorting.close();
  }
}

/**
 * Stores records, those about the same thing one after the other: of those that may be stored the last one wins.
 * @param suppress receives the records about forgotten creators; null while nobody was
 * @returns how many lines of the slice were loaded, those included that a later one replaces at once
 */
async function storeSlice<K extends ImportKind>(
  writer: Writer,
  kind: K,
  slice: readonly ReadRecord[],
  suppress: ((record: ReadRecord) => void) | null,
): Promise<number> {
  const { identityOf } = STORES[kind];
  const loaded = suppress === null ? slice : await notForgotten(writer, kind, slice, suppress);
  const identities = loaded.map(({ row }) => identityOf(row));
  const latest = loaded.filter((_, at) => identities[at] !== identities[at + 1]);
  if (latest.length > 0) await STORES[kind].write(writer, latest);
  return loaded.length;
}

async function notForgotten<K extends ImportKind>(
  writer: Writer,
  kind: K,
  slice: readonly ReadRecord[],
  suppress: (record: ReadRecord) => void,
): Promise<ReadRecord[]> {
  const { creatorsOf } = STORES[kind];
  const isForgotten = await forgottenAmong(writer, slice.flatMap(creatorsOf));
  return slice.filter((record) => {
    const isSuppressed = creatorsOf(record).some(isForgotten);
    if (isSuppressed) suppress(record);
    return !isSuppressed;
  });
}
