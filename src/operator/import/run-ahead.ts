/**
 * Runs `work` for each item, `limit` of them at a time, started in order. A transaction runs statements in the order in which they
 * are sent: the reads for the next items wait at the database already while it writes this one, so it is never idle.
 */
export async function runAhead<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const running: Promise<unknown>[] = [];
  try {
    for (const item of items) {
      if (running.length >= limit) await running.shift();
      running.push(work(item));
      // Awaited later; until then it must not count as an unhandled rejection.
      running.at(-1)?.catch(() => undefined);
    }
    await Promise.all(running);
  } finally {
    // After an error, nobody may send statements to a transaction that is over.
    await Promise.allSettled(running);
  }
}
