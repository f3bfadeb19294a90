import type { Candidate } from './candidates.js';
import { addTokens, costNumber, costOf, NO_TOKENS, type Prices, type Tokens } from './cost.js';
import { createMessages, type Prompt } from './prompt.js';
import { boundOf, createBody } from './request-body.js';
import { isKept, parseStored } from './stored-answer.js';

/** Bytes of a token, and tokens of an answer, as they usually are. Only the estimate depends on them, no limit does. */
const BYTES_PER_TOKEN = 4;
const USUAL_OUTPUT = 1500;

/** Estimate of a run. */
export interface Estimate {
  /** Creators that need a call. */
  readonly creators: number;
  readonly unchanged: number;
  readonly empty: number;
  readonly rejected_before: number;
  /** What the calls usually cost. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number | null;
  /** What they can cost at most if each answer is valid at once. A repair repeats the answer, so its call can cost more. */
  readonly most_tokens: number;
  readonly most_cost: number | null;
}

export interface EstimateOptions {
  readonly prompt: Prompt;
  readonly model: string;
  readonly mayInfer: boolean;
  readonly maxOutput: number;
  readonly retriesRejected: boolean;
  readonly prices: Prices | null;
  readonly percent: number;
  readonly signal: AbortSignal;
  /** Called after each candidate, with their number. */
  readonly progress: (candidates: number) => void;
}

/** Estimates what the calls for candidates cost, without a call. */
export async function estimate(
  candidates: AsyncGenerator<Candidate>,
  { prompt, model, mayInfer, maxOutput, retriesRejected, prices, percent, signal, progress }: EstimateOptions,
): Promise<Estimate> {
  const counts = { creators: 0, unchanged: 0, empty: 0, rejected_before: 0 };
  let [usual, most]: [Tokens, Tokens] = [NO_TOKENS, NO_TOKENS];
  let read = 0;
  for await (const candidate of candidates) {
    if (signal.aborted) break;
    progress((read += 1));
    const { input, entry } = candidate;
    const stored = input === null ? null : parseStored(entry, input, mayInfer);
    if (input === null) counts.empty += 1;
    else if (stored !== null || isKept(candidate, stored)) counts.unchanged += 1;
    else if (entry?.state === 'rejected' && !retriesRejected) counts.rejected_before += 1;
    else {
      counts.creators += 1;
      const messages = createMessages(prompt, input, { mayInfer, showsSchema: false });
      const dialogue = { model, format: 'json_schema', limitName: 'max_tokens', maxOutput } as const;
      const bound = boundOf(JSON.stringify(createBody(dialogue, messages)), maxOutput);
      most = addTokens(most, bound);
      const output = Math.min(USUAL_OUTPUT, maxOutput);
      usual = addTokens(usual, { input: Math.ceil(bound.input / BYTES_PER_TOKEN), output });
    }
  }
  const costNumberOf = (tokens: Tokens) => (prices === null ? null : costNumber(costOf(tokens, prices, percent)));
  return {
    ...counts,
    input_tokens: usual.input,
    output_tokens: usual.output,
    cost: costNumberOf(usual),
    most_tokens: most.input + most.output,
    most_cost: costNumberOf(most),
  };
}
