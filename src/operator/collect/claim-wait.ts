/** Interval at which a run without `--loop` checks whether another collector has finished its call. */
export const CLAIM_POLL_MS = 5000;

export const WAITS_FOR_CLAIM = 'Waits up to two minutes for a call of another collector, or of one that was killed.';
