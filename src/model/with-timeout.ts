/** Value for `late` that no work returns, to tell a time-out from a result. */
export const TIMED_OUT = Symbol('late');

/**
 * Resolves with the result of the work, or with `late` after `ms` milliseconds. The work then continues, and its outcome is
 * ignored. Time for which the event loop was blocked hardly counts: messages that arrived are handled before the last quarter
 * begins.
 * @throws the error of work that fails within the time limit
 */
export async function withTimeout<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  // `setTimeout` fires at once for Infinity.
  if (ms === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(
      () => {
        timer = setTimeout(() => resolve(late), Math.max(0, ms) / 4);
      },
      (Math.max(0, ms) * 3) / 4,
    );
  });
  // Prevents an unhandled rejection if the work fails after the time limit.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
