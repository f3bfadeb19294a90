/** For `within`, where the work's own result tells nothing. */
export const LATE = Symbol('late');

/**
 * What the work comes to, or `late` when the time is over; the work goes on then, and nobody hears how it ends.
 * @throws whatever it failed with in time
 */
export async function within<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  // A timer takes no endless time.
  if (ms === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, ms));
  });
  // If it loses the race, nobody else handles its rejection.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
