import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';

/** Unit of process times in `/proc`, on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** The 22nd member of `/proc/PID/stat`, counted behind the name of the program, which may hold blanks. */
const START_MEMBER = 22 - 3;

/** When a process of this machine started, in ms since 1970; null where the system does not tell. */
export async function startOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const ticks = Number(text?.slice(text.lastIndexOf(')') + 2).split(' ')[START_MEMBER]);
  if (text === null || !Number.isFinite(ticks)) return null;
  return Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000;
}
