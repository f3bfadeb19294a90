import * as z from 'zod';
import { addTokens, BATCH_PERCENT, costOf, NO_TOKENS, sumTokens, type Prices, type Tokens } from './cost.js';
import { ANSWER_FORMATS, LIMIT_NAMES } from './request-body.js';

const tokens = z.object({ input: z.number(), output: z.number() });

/** What became of the creators of a run. */
export const RUN_COUNTS = ['made', 'restored', 'unchanged', 'empty', 'rejected', 'failed'] as const;

export type CountedOutcome = (typeof RUN_COUNTS)[number];

/** A batch that the endpoint is working on. */
const batchSchema = z.object({
  marker: z.string(),
  id: z.nullable(z.string()),
  reserved: tokens,
  cost: z.number(),
  /** Number of its requests. */
  requests: z.number(),
  /** What its requests were made with. */
  origin: z.object({ model: z.string(), host: z.string(), promptVersion: z.string() }),
  mayInfer: z.boolean(),
  /** Whether the endpoint may have got it. It is set before the request that creates the batch. */
  isSent: z.boolean().default(true),
  /** The part of its requests that not every endpoint accepts. */
  features: z
    .object({ format: z.enum(ANSWER_FORMATS), limitName: z.enum(LIMIT_NAMES) })
    .default({ format: ANSWER_FORMATS[0], limitName: LIMIT_NAMES[0] }),
});

const stateSchema = z.object({
  host: z.string(),
  pid: z.number(),
  /** Identifies the process that may write this. */
  owner: z.string().default(''),
  /** When the process last wrote this, in milliseconds since 1970. */
  alive_at: z.number(),
  model: z.string(),
  /** Limits: cost in billionths, and tokens; null: none. */
  max_cost: z.nullable(z.number()),
  max_tokens: z.nullable(z.number()),
  /** Settled calls. */
  spent: tokens,
  spent_cost: z.number(),
  /** Tokens that were spent without prices, times the percentage of the price that they cost. They are not in `spent_cost`. */
  unpriced: tokens.nullable().default(null),
  /** Calls in flight, at the most that they can be charged. */
  reserved: tokens,
  reserved_cost: z.number(),
  counts: z.record(z.string(), z.number()),
  batches: z.array(batchSchema),
});

/** State of a run. It is written in the transactions of its reservations and settlements, so that it survives a kill. */
export type RunState = Omit<z.output<typeof stateSchema>, 'unpriced'> & { unpriced: Tokens };

export type BatchState = RunState['batches'][number];

/** Parses a stored state. */
export function parseRunState(document: Buffer | string): RunState {
  const { unpriced, ...state } = stateSchema.parse(JSON.parse(String(document)));
  // A state of an earlier version cannot tell. It had prices, or spent everything without.
  const assumed = state.spent_cost === 0 ? times(state.spent, 100) : NO_TOKENS;
  return { ...state, unpriced: unpriced ?? assumed };
}

const times = ({ input, output }: Tokens, factor: number): Tokens => ({
  input: input * factor,
  output: output * factor,
});

/** Limits of what a run may spend. At least one is not null. */
export interface Limits {
  /** Billionths of the currency. */
  readonly cost: number | null;
  readonly tokens: number | null;
}

/** What a call can be charged at most. */
export interface SpendReservation {
  readonly tokens: Tokens;
  readonly cost: number;
  /** Part of the price to pay, in percent. */
  readonly percent: number;
}

export const createReservation = (bound: Tokens, prices: Prices | null, percent = 100): SpendReservation => ({
  tokens: bound,
  cost: prices === null ? 0 : costOf(bound, prices, percent),
  percent,
});

/** Reports whether a reservation fits into the limits beside all that is spent and reserved. */
export function fitsRunLimits(state: RunState, { tokens: more, cost }: SpendReservation): boolean {
  const { max_cost, max_tokens, spent, reserved } = state;
  return (
    (max_cost === null || state.spent_cost + state.reserved_cost + cost <= max_cost) &&
    (max_tokens === null || sumTokens(spent) + sumTokens(reserved) + sumTokens(more) <= max_tokens)
  );
}

export function reserve(state: RunState, { tokens: more, cost }: SpendReservation): void {
  state.reserved = addTokens(state.reserved, more);
  state.reserved_cost += cost;
}

export function release(state: RunState, { tokens: less, cost }: SpendReservation): void {
  state.reserved = addTokens(state.reserved, { input: -less.input, output: -less.output });
  state.reserved_cost -= cost;
}

/** @param cost null without prices @param percent part of the price that the tokens cost */
export function spend(state: RunState, spent: Tokens, cost: number | null, percent: number): void {
  state.spent = addTokens(state.spent, spent);
  if (cost === null) state.unpriced = addTokens(state.unpriced, times(spent, percent));
  else state.spent_cost += cost;
}

/** Charges what was spent without prices. */
export function priceSpending(state: RunState, prices: Prices): void {
  state.spent_cost += costOf(state.unpriced, prices, 1);
  state.unpriced = NO_TOKENS;
}

/** Counts the reservations of a killed process as spent, except those of its batches, whose results can still be read. */
export function adoptReservations(state: RunState): void {
  let kept: SpendReservation = { tokens: { input: 0, output: 0 }, cost: 0, percent: 100 };
  for (const { reserved, cost } of state.batches) {
    kept = { ...kept, tokens: addTokens(kept.tokens, reserved), cost: kept.cost + cost };
  }
  release(state, kept);
  // Calls in flight all have prices, or none has.
  spend(state, state.reserved, state.reserved_cost === 0 ? null : state.reserved_cost, 100);
  state.reserved = kept.tokens;
  state.reserved_cost = kept.cost;
}

/** Reserves open batches at other prices than they were submitted with. */
export function repriceBatches(state: RunState, prices: Prices): void {
  for (const batch of state.batches) {
    const cost = costOf(batch.reserved, prices, BATCH_PERCENT);
    state.reserved_cost += cost - batch.cost;
    batch.cost = cost;
  }
}
