import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/** How often a condition outside this process is looked at again. */
const LOOK_AGAIN_MS = 10;

/**
 * Resolves as soon as a condition holds. For what announces itself in no other way: a row that another process writes,
 * a check that turns green.
 * @throws Error naming the condition if it does not come true in time
 */
export async function until(what: string, holds: () => Promise<boolean> | boolean, withinMs = 15_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  await nextTurn();
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not come true in ${withinMs} ms: ${what}`);
    await delay(LOOK_AGAIN_MS);
  }
}
