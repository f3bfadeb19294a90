import { good, warning, type Check } from './check.js';

/** Maximum clock difference. With more, machines put too many records on different days. */
const MAX_SKEW_MS = 1000;

/** Compares the clock of this machine with another clock. @param readClock returns milliseconds since 1970 */
export async function checkClock(owner: string, readClock: () => Promise<number>): Promise<Check> {
  const before = Date.now();
  const remote = await readClock();
  // The remote clock was read at some time during the call: compare it with the middle.
  const skewMs = Math.round(remote - (before + Date.now()) / 2);
  const message = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'ahead of' : 'behind'} ${owner}`;
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return good('clock', message);
  return warning('clock', `${message}: synchronise both clocks by NTP, because bills depend on the day`);
}
