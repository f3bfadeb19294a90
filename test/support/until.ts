import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** Poll interval for a condition outside this process. */
const POLL_INTERVAL_MS = 10;

/**
 * Polls until a condition holds, for changes that emit no event: a row that another process writes, a health check.
 * @throws Error naming the condition if it does not hold in time
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  withinMs = 90_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  await nextTurn();
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`condition did not hold within ${withinMs} ms: ${what}`);
    await delay(POLL_INTERVAL_MS);
  }
}
