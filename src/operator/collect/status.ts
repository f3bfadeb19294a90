import type { CollectPlatform } from './collect-platform.js';
import { dueAt, type Target } from './schedule.js';
import { IDENTITY, isGone } from './target-state.js';

/** Part of the interval after which a creator is late. */
const LATE_PART = 0.2;

/** Names listed at most. */
const MAX_LISTED = 100;

/** State of the creators of one source. */
export interface CreatorCounts {
  readonly creators: number;
  /** Creators with a step that is due. */
  readonly due: number;
  /** Creators with a step that is due for more than a fifth of their interval. */
  readonly late: number;
  readonly gone: number;
  /** Creators missing in the last answer, but not gone yet. */
  readonly missing: number;
  /** Creators whose last call failed. */
  readonly failing: number;
  /** Creators whose statistics were last asked for longer ago than their retention. */
  readonly kept_too_long: number;
  /** IDs or handles of the first creators who are gone. */
  readonly gone_creators: readonly string[];
}

/** Counts creators by what is to be done about them. Pure. */
export function countCreators(
  { steps }: Pick<CollectPlatform, 'steps'>,
  targets: readonly Target[],
  now: number,
): CreatorCounts {
  const gone = targets.filter(({ state }) => isGone(state));
  let [due, late, failing, keptTooLong] = [0, 0, 0, 0];
  for (const target of targets) {
    const { asked, retries, keepMs } = target.state;
    const lastAsked = asked[IDENTITY];
    const times = steps.flatMap((step) => dueAt(step, target) ?? []);
    if (times.some((at) => at <= now)) due += 1;
    // A step that was never called counts as due since the creator was identified. An unidentified creator is never late.
    if (times.some((at) => now - (at === 0 ? (lastAsked ?? now) : at) > target.everyMs * LATE_PART)) late += 1;
    // An earlier version noted 0 for calls that were only interrupted.
    if (Object.values(retries).some((at) => at > 0)) failing += 1;
    if (keepMs !== null && lastAsked !== undefined && now - lastSeen(target, lastAsked) > keepMs) keptTooLong += 1;
  }
  return {
    creators: targets.length,
    due,
    late,
    gone: gone.length,
    missing: targets.filter(({ state }) => state.missing !== null).length - gone.length,
    failing,
    kept_too_long: keptTooLong,
    gone_creators: gone.slice(0, MAX_LISTED).map(({ name }) => name),
  };
}

/** Returns the latest time at which statistics of a creator may have been received: the last answer, or for a missing creator the first
 * answer without it. */
const lastSeen = ({ state: { missing } }: Target, lastAsked: number): number => missing?.first ?? lastAsked;
