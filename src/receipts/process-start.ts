import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';

/** Unit of process times in `/proc`, on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** Field 22 of `/proc/PID/stat`, counted from field 3. Field 2, the program's name, may contain blanks. */
const START_FIELD = 22 - 3;

/** Returns the time at which a process of this machine started, in ms since 1970; null if there is no `/proc`. */
export async function readProcessStart(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const ticks = Number(text?.slice(text.lastIndexOf(')') + 2).split(' ')[START_FIELD]);
  if (text === null || !Number.isFinite(ticks)) return null;
  return Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000;
}
