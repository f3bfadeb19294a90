import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** Poll interval for a condition outside this process. */
const LOOK_AGAIN_MS = 10;

/**
 * Polls until a condition holds, for changes that emit no event: a row that another process writes, a health check.
 * @throws Error naming the condition if it does not hold in time
 */
export async function until(what: string, holds: () => Promise<boolean> | boolean, withinMs = 15_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  await nextTurn();
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not come true in ${withinMs} ms: ${what}`);
    await delay(LOOK_AGAIN_MS);
  }
}
