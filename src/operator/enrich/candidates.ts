import type { Database } from '../../database/database.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Creator } from '../import/record-store.js';
import { createInput, type CreatorInput } from './creator-input.js';
import { findEntries, hashInput, type JournalEntry } from './journal.js';
import { CreatorReader, type Selection } from './read-creators.js';

/** Inputs per look-up of the journal. They are in memory together. */
const INPUTS_PER_LOOKUP = 16;

/** A creator to analyse. */
export interface Candidate {
  readonly platform: Platform;
  readonly creator: Creator;
  /** Null if the records say nothing. */
  readonly input: CreatorInput | null;
  readonly hash: string;
  /** What the journal knows of the input. */
  readonly entry: JournalEntry | null;
  /** Whether the stored analysis was made from the same input. */
  readonly isUnchanged: boolean;
}

/** What inputs are made with. */
export interface CreatorInputOptions {
  readonly model: string;
  readonly promptVersion: string;
  readonly mayInfer: boolean;
  readonly maxInput: number;
}

/** Yields the selected creators with their inputs. Each input is made when it is needed, so that memory stays flat. */
export async function* readCandidates(
  database: Database,
  selection: Selection,
  options: CreatorInputOptions,
): AsyncGenerator<Candidate> {
  const reader = new CreatorReader(database);
  for (const platform of selection.platforms) {
    for await (const ids of reader.select(platform, selection)) {
      for (let start = 0; start < ids.length; start += INPUTS_PER_LOOKUP) {
        yield* readGroup(database, reader, platform, ids.slice(start, start + INPUTS_PER_LOOKUP), options);
      }
    }
  }
}

async function* readGroup(
  database: Database,
  reader: CreatorReader,
  platform: Platform,
  ids: readonly string[],
  { model, promptVersion, mayInfer, maxInput }: CreatorInputOptions,
): AsyncGenerator<Candidate> {
  const made: { readonly id: string; readonly input: CreatorInput | null; readonly hash: string }[] = [];
  for (const id of ids) {
    const records = await reader.read(platform, id);
    if (records === null) continue;
    const input = createInput(records, maxInput);
    made.push({ id, input, hash: input === null ? '' : hashInput(model, promptVersion, mayInfer, input) });
  }
  const [entries, stored] = await Promise.all([
    findEntries(
      database,
      made.flatMap(({ input, hash }) => (input === null ? [] : [hash])),
    ),
    reader.findInputHashes(platform, ids),
  ]);
  for (const { id, input, hash } of made) {
    const creator = { platform: platformCode(platform), profileId: id };
    const isUnchanged = input !== null && stored.get(id) === hash;
    yield { platform, creator, input, hash, entry: entries.get(hash) ?? null, isUnchanged };
  }
}
