import { createHash } from 'node:crypto';
import type { Reader } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { EnrichmentJournalEntity } from '../../features/analysis/enrichment.entities.js';
import { SCHEMA_HASH } from './answer-schema.js';
import type { CreatorInput } from './creator-input.js';
import type { Tokens } from './cost.js';
import { parseJson } from './parse-json.js';

/**
 * State of an input. `repair`: the first answer is invalid, and was not repaired yet. `done`: the answer is valid. `rejected`: it will
 * not be paid for again. `submitted`: it is, or was, in a batch; `answer` is the request.
 */
export const STATE_CODES = { repair: 1, done: 2, rejected: 3, submitted: 4 } as const;

export type JournalState = keyof typeof STATE_CODES;

/** Entry of the journal. */
export interface JournalEntry {
  readonly state: JournalState;
  readonly tokens: Tokens;
  /** Why the answer is invalid: lines, or a sentence if it is rejected. */
  readonly reason: string | null;
  readonly answer: string | null;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** How a valid answer was made, for its provenance. Entries of earlier versions have none. */
  readonly making?: AnswerMaking | null;
}

/** How an answer was made. Its model and prompt are in the hash of the input. */
export interface AnswerMaking {
  readonly host: string;
  /** Billionths of the currency; null without prices. */
  readonly cost: number | null;
}

export type JournalRow = Stored<EnrichmentJournalEntity>;

/** Returns the hash of all that an answer depends on. */
export const hashInput = (model: string, promptVersion: string, mayInfer: boolean, { text }: CreatorInput): string =>
  createHash('sha256')
    .update(JSON.stringify([model, promptVersion, SCHEMA_HASH, mayInfer, text]))
    .digest('hex');

/** Creates the row of an entry. */
export const journalRow = (
  hash: string,
  { platform, profileId }: { readonly platform: number; readonly profileId: string },
  { state, tokens, reason, answer, changedAt, making = null }: JournalEntry,
): JournalRow => ({
  hash,
  platform,
  profile_id: profileId,
  state: STATE_CODES[state],
  input_tokens: tokens.input,
  output_tokens: tokens.output,
  changed_at: changedAt,
  reason,
  document: making === null ? answer : JSON.stringify({ answer, ...making }),
});

/** Columns of an entry. */
export const JOURNAL_COLUMNS = ['state', 'input_tokens', 'output_tokens', 'changed_at', 'reason', 'document'] as const;

/** Finds the entries of inputs by hash, with the creators whom they are about. */
export async function findSubmitted(reader: Reader, hashes: readonly string[]) {
  const columns = [...JOURNAL_COLUMNS, 'platform', 'profile_id'] as const;
  const byHash = reader.lookup({ entity: EnrichmentJournalEntity, group: null, id: 'hash', columns });
  const rows = await reader.findMany(byHash, null, hashes, { source: 'primary' });
  return rows.map((row) => ({
    hash: String(row.hash),
    creator: { platform: Number(row.platform), profileId: String(row.profile_id) },
    entry: entryOf(row),
  }));
}

/** Finds the entries of inputs by hash. */
export async function findEntries(
  reader: Reader,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, JournalEntry>> {
  const byHash = reader.lookup({ entity: EnrichmentJournalEntity, group: null, id: 'hash', columns: JOURNAL_COLUMNS });
  const rows = await reader.findMany(byHash, null, hashes, { source: 'primary' });
  return new Map(rows.map((row) => [String(row.hash), entryOf(row)]));
}

/** Converts a row to its entry. */
export function entryOf(row: Pick<EnrichmentJournalEntity, (typeof JOURNAL_COLUMNS)[number]>): JournalEntry {
  const state = (Object.keys(STATE_CODES) as JournalState[]).find((name) => STATE_CODES[name] === Number(row.state));
  if (state === undefined) throw new Error(`the journal has the unknown state ${row.state}`);
  const document = row.document === null ? null : String(row.document);
  const made = state === 'done' && document !== null ? readMade(document) : null;
  return {
    state,
    tokens: { input: Number(row.input_tokens), output: Number(row.output_tokens) },
    reason: row.reason === null ? null : String(row.reason),
    answer: made?.answer ?? document,
    changedAt: Number(row.changed_at),
    making: made && { host: made.host, cost: made.cost },
  };
}

/** Reads an answer and how it was made. @returns null for an answer alone, which has no such members */
function readMade(document: string): (AnswerMaking & { readonly answer: string }) | null {
  const value = parseJson(document) as Partial<Readonly<Record<string, unknown>>> | null;
  const { answer, host, cost } = value ?? {};
  if (typeof answer !== 'string' || typeof host !== 'string') return null;
  return { answer, host, cost: typeof cost === 'number' ? cost : null };
}
