import { good, warning, type Check } from './check.js';

/** From here on records of two machines lie on different days too often. */
const MAX_SKEW_MS = 1000;

/** Compares this machine's clock with another one's. @param ask tells milliseconds since 1970 */
export async function checkClock(whose: string, ask: () => Promise<number>): Promise<Check> {
  const before = Date.now();
  const theirs = await ask();
  // Theirs was read some time between the two.
  const skewMs = Math.round(theirs - (before + Date.now()) / 2);
  const message = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'ahead of' : 'behind'} ${whose}`;
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return good('clock', message);
  return warning('clock', `${message}: let NTP set the clocks of both machines, bills depend on the day`);
}
