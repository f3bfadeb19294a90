import { DAY_MS } from '../../model/calendar-date.js';

/** Attempts after the first one. */
export const MAX_RETRIES = 5;

const FIRST_DELAY_MS = 1000;

const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 60_000;

/** Returns the delay before a retry: it doubles, with jitter of half. @param retry from 1 @param random from 0 to 1 */
export const retryDelayMs = (retry: number, random: number): number =>
  Math.round(FIRST_DELAY_MS * 2 ** (retry - 1) * (0.5 + random));

/** Returns the pause before the next call, after several in a row have failed; 0 without any. */
export const outagePauseMs = (failuresInRow: number): number =>
  failuresInRow === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failuresInRow - 1), MAX_PAUSE_MS);

const MAX_FAILED_RETRY_MS = 300_000;

/** Factor by which each further failure because of a creator lengthens the delay. */
const FAILED_RETRY_FACTOR = 4;

/**
 * Returns when a failed call is due again, in milliseconds: soon enough for the shortest interval of its creators. A creator whose
 * calls fail again and again waits longer, up to the interval or a day.
 * @param failures failures in a row, from 1
 */
export function failedRetryMs(intervalsMs: readonly number[], failures: number): number {
  const first = Math.min(MAX_FAILED_RETRY_MS, ...intervalsMs.map((ms) => ms / 10));
  return Math.min(first * FAILED_RETRY_FACTOR ** (failures - 1), DAY_MS, ...intervalsMs);
}
