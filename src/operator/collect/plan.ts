import { DAY_MS } from '../../model/calendar-date.js';
import type { CollectPlatform, Step } from './collect-platform.js';
import { dueAt, type Target } from './schedule.js';
import { IDENTITY } from './target-state.js';
import type { WatchedCreator } from './watch-list.js';

/** What a watch list costs at one source. */
export interface Plan {
  readonly source: string;
  readonly creators: number;
  /** Calls of the first round, which asks about everybody. */
  readonly first_calls: number;
  readonly first_units: number;
  /** Calls and units of an average day from then on. */
  readonly calls_per_day: number;
  readonly units_per_day: number;
  /** Units that may be spent a day; null: only the limit by minute counts. */
  readonly budget: number | null;
  /** Most calls that the limit by minute allows in a day. */
  readonly max_calls_per_day: number;
  readonly fits: boolean;
}

/**
 * Computes the calls and units that creators of one source cost.
 *
 * Assumes the largest number of items: each call that describes items is as full as the newest items of one creator make it.
 */
export function planOf(platform: CollectPlatform, creators: readonly WatchedCreator[], budget: number | null): Plan {
  const { steps, limits } = platform;
  const counts = new Map<number, number>();
  for (const { everyMs } of creators) counts.set(everyMs, (counts.get(everyMs) ?? 0) + 1);
  const handles = creators.filter(({ target }) => target.startsWith('@')).length;
  let [firstCalls, firstUnits, callsPerDay, unitsPerDay] = [0, 0, 0, 0];
  for (const step of steps) {
    const first = firstCallsOf(step, creators.length, handles);
    firstCalls += first;
    firstUnits += first * step.units;
    for (const [everyMs, count] of counts) {
      const calls = (callsOf(step, count) * DAY_MS) / everyMs;
      callsPerDay += calls;
      unitsPerDay += calls * step.units;
    }
  }
  const maxCallsPerDay = limits.callsPerMinute * 1440;
  const units = Math.ceil(unitsPerDay);
  return {
    source: platform.source,
    creators: creators.length,
    first_calls: firstCalls,
    first_units: firstUnits,
    calls_per_day: Math.ceil(callsPerDay),
    units_per_day: units,
    budget,
    max_calls_per_day: maxCallsPerDay,
    fits: units <= (budget ?? Infinity) && callsPerDay <= maxCallsPerDay,
  };
}

/** Returns the calls of a step about this many creators. Items of one creator fill a call. */
const callsOf = (step: Step, creators: number): number =>
  step.kind === 'details' ? creators : Math.ceil(creators / step.batchSize);

const firstCallsOf = (step: Step, creators: number, handles: number): number =>
  step.kind === 'identity' && step.asksHandlesAlone
    ? handles + callsOf(step, creators - handles)
    : callsOf(step, creators);

/** Estimates the calls that a run makes about what is due, and about what its first answers make due. */
export function expectedCalls(
  { steps }: Pick<CollectPlatform, 'steps'>,
  targets: readonly Target[],
  now: number,
): number {
  let calls = 0;
  for (const step of steps) {
    const due = targets.filter((target) => {
      const at = dueAt(step, target);
      const isUnknown = target.state.asked[IDENTITY] === undefined;
      return at === null ? isUnknown : at <= now;
    });
    calls += callsOf(step, due.length);
  }
  return calls;
}
