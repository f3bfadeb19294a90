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

/** Yields items, and already requests the next one while an item is processed.
 * @param waits whether to wait for the requested item when the consumer stops early */
export async function* prefetch<T>(items: AsyncGenerator<T, void>, waits = false): AsyncGenerator<T, void> {
  let next = items.next();
  try {
    for (;;) {
      const { value } = await next;
      if (value === undefined) return;
      next = items.next();
      // The next iteration awaits it; until then it must not count as an unhandled rejection.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    if (waits) await Promise.allSettled([next]);
  }
}
