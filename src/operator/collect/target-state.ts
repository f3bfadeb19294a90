import { CLOCK_SKEW_MS } from '../ingest/merge.js';

/** Time after which a creator who stayed absent counts as gone. */
export const GONE_AFTER_MS = 86_400_000;

/** Factor by which the interval of a creator who is gone is multiplied. */
export const GONE_FACTOR = 10;

/** Name under which the answers of every platform's first step are noted. */
export const IDENTITY = 'identity';

/** Failures of a step in a row. */
export interface StepFailures {
  /** Failures since the last answer, of an outage only one. */
  readonly count: number;
  /** Time of the last one. */
  readonly at: number;
}

/** What is known of a creator from earlier calls. All times are in milliseconds since 1970. */
export interface TargetState {
  /** ID of the creator; null while only the handle is known. */
  readonly id: string | null;
  /** Time of the last answer of each step. Stored under this name by earlier versions. */
  readonly asked: Readonly<Record<string, number>>;
  /** Time until which each step belongs to a collector that is calling. */
  readonly claims: Readonly<Record<string, number>>;
  /** Time from which each failed step may be repeated. */
  readonly retries: Readonly<Record<string, number>>;
  /** Failures of each step whose last call failed. */
  readonly failures: Readonly<Record<string, StepFailures>>;
  /** First and last answer that lacked the creator; null if the last answer had it. */
  readonly missing: { readonly first: number; readonly last: number } | null;
  /** Steps with calls of their own for this creator, because a call was rejected or failed repeatedly. */
  readonly alone: readonly string[];
  /** Items that are still to be asked for; only of sources that list items before they describe them. */
  readonly pending: readonly string[];
  /** ID of the list of items on the platform, such as a playlist; null if it is unknown. Of a sweep of games: where to resume. */
  readonly list: string | null;
  /** Interval and retention when it was last asked, for the report of the status. */
  readonly everyMs: number;
  readonly keepMs: number | null;
}

/** Returns the state of a creator who was never asked about. */
export const initialState = (target: string, everyMs: number, keepMs: number | null): TargetState => ({
  id: target.startsWith('@') ? null : target,
  asked: {},
  claims: {},
  retries: {},
  failures: {},
  missing: null,
  alone: [],
  pending: [],
  list: null,
  everyMs,
  keepMs,
});

/** Time that no claim and no retry exceeds: a wait for the platform is at most a day. */
export const MAX_AHEAD_MS = 86_400_000 + CLOCK_SKEW_MS;

/** Returns the state without times that a wrong clock wrote: a creator asked in a future year would not be asked until then. */
export function withoutFuture(state: TargetState, now: number): TargetState {
  const until = (times: Readonly<Record<string, number>>, limit: number) =>
    Object.fromEntries(Object.entries(times).filter(([, at]) => at <= limit));
  const { asked, claims, retries, failures, missing } = state;
  return {
    ...state,
    asked: until(asked, now + CLOCK_SKEW_MS),
    claims: until(claims, now + MAX_AHEAD_MS),
    retries: until(retries, now + MAX_AHEAD_MS),
    failures: Object.fromEntries(Object.entries(failures).filter(([, { at }]) => at <= now + CLOCK_SKEW_MS)),
    missing: missing !== null && missing.last > now + CLOCK_SKEW_MS ? null : missing,
  };
}

/** Reports whether a creator was missing twice, a day apart. */
export const isGone = ({ missing }: TargetState): boolean =>
  missing !== null && missing.last - missing.first >= GONE_AFTER_MS;

const without = <T>(members: Readonly<Record<string, T>>, step: string): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => name !== step));

/** Returns the state while a collector asks for a step. */
export const markClaimed = (state: TargetState, step: string, until: number): TargetState => ({
  ...state,
  claims: { ...state.claims, [step]: until },
});

/** Returns the state after a step was answered. */
export const markAnswered = (state: TargetState, step: string, at: number): TargetState => ({
  ...state,
  alone: state.alone.filter((name) => name !== step),
  asked: { ...state.asked, [step]: at },
  claims: without(state.claims, step),
  retries: without(state.retries, step),
  failures: without(state.failures, step),
});

/** Returns the state with calls of its own for a step. */
export const markAlone = (state: TargetState, step: string): TargetState =>
  state.alone.includes(step) ? state : { ...state, alone: [...state.alone, step] };

/** Returns the state after a collector gave up a claim without an answer. */
export const markReleased = (state: TargetState, step: string): TargetState => ({
  ...state,
  claims: without(state.claims, step),
});

/** Returns the state with a time from which a step may be repeated. */
export const markRetry = (state: TargetState, step: string, retryAt: number): TargetState => ({
  ...markReleased(state, step),
  retries: { ...state.retries, [step]: retryAt },
});

/** Returns the state after all attempts of a step failed. */
export const markFailed = (state: TargetState, step: string, failures: StepFailures, retryAt: number): TargetState => ({
  ...markRetry(state, step, retryAt),
  failures: { ...state.failures, [step]: failures },
});

/** Returns the state after an answer that had the creator. */
export function markFound(state: TargetState, id: string, list: string | null): TargetState {
  const { asked, everyMs, keepMs } = state;
  // A handle with another owner: only who it is has been asked about this one.
  if (state.id !== null && state.id !== id) {
    const identity = asked[IDENTITY];
    return {
      ...initialState(id, everyMs, keepMs),
      asked: identity === undefined ? {} : { [IDENTITY]: identity },
      list,
    };
  }
  return { ...state, id, list: list ?? state.list, missing: null };
}

/** Returns the state after an answer that lacked the creator. */
export const markAbsent = (state: TargetState, at: number): TargetState => ({
  ...state,
  missing: { first: state.missing?.first ?? at, last: at },
});
