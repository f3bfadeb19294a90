import { setTimeout } from 'node:timers/promises';
import { DAY_MS } from '../../model/calendar-date.js';

/** Source of the time, which tests replace to simulate days. */
export interface Timer {
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after a time, at most a day, or at once when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const SYSTEM_TIMER: Timer = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    // Longer timers would overflow.
    if (ms > 0) await setTimeout(Math.min(ms, DAY_MS), undefined, { signal }).catch(() => undefined);
  },
};
