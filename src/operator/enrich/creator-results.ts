import type { ProvenanceLine } from '../../features/analysis/provenance.js';
import type { Candidate } from './candidates.js';
import { costNumber, type Tokens } from './cost.js';
import { journalRow } from './journal.js';
import type { CheckedAnalysis } from './parse-answer.js';
import { MAX_REPEATED } from './prompt.js';
import type { CreatorResult } from './store-results.js';

/** What an answer cost. */
export interface AnswerCharge {
  readonly tokens: Tokens;
  /** Billionths of the currency; null without prices. */
  readonly cost: number | null;
  /** When the answer came, in milliseconds since 1970. */
  readonly at: number;
}

/** What provenance says of every record of a run. */
export interface AnalysisOrigin {
  readonly model: string;
  readonly host: string;
  readonly promptVersion: string;
}

/** Creates the result of a valid answer: the record, its provenance, and the answer, which is never paid for again. */
export function validResult(
  { platform, creator, hash }: Candidate,
  { analysis, evidence }: CheckedAnalysis,
  answer: string,
  { tokens, cost, at }: AnswerCharge,
  { model, host, promptVersion }: AnalysisOrigin,
): CreatorResult {
  const { profileId } = creator;
  const madeAt = new Date(at).toISOString();
  const provenance: ProvenanceLine = {
    platform_id: platform,
    profile_id: profileId,
    model,
    host,
    prompt_version: promptVersion,
    input_hash: hash,
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cost: cost === null ? null : costNumber(cost),
    made_at: madeAt,
    evidence: [...evidence],
  };
  return {
    creator,
    journal: journalRow(hash, creator, {
      state: 'done',
      tokens,
      reason: null,
      answer,
      changedAt: at,
      making: { host, cost },
    }),
    record: {
      analysis: { platform_id: platform, profile_id: profileId, updated_at: madeAt, analysis },
      provenance,
    },
  };
}

/** Creates the result of an invalid answer that can be repaired. */
export const invalidResult = (
  { creator, hash }: Candidate,
  answer: string,
  problems: readonly string[],
  { tokens, at }: AnswerCharge,
): CreatorResult => ({
  creator,
  journal: journalRow(hash, creator, {
    state: 'repair',
    tokens,
    reason: problems.join('\n'),
    answer: answer.slice(0, MAX_REPEATED).toWellFormed(),
    changedAt: at,
  }),
  record: null,
});

/** Creates the result of an input that is not paid for again. */
export const rejectedResult = (
  { creator, hash }: Candidate,
  reason: string,
  { tokens, at }: AnswerCharge,
): CreatorResult => ({
  creator,
  journal: journalRow(hash, creator, { state: 'rejected', tokens, reason, answer: null, changedAt: at }),
  record: null,
});
