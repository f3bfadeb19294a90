import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';

/** Field 22 of `/proc/PID/stat`, counted from field 3. Field 2, the program's name, may contain blanks. */
const START_FIELD = 22 - 3;

/** Start of a process by the kernel's count of ticks, which no change of a clock moves. */
export interface ProcessStart {
  /** Boot of the machine, and time namespace, in which the ticks count. */
  readonly boot: string;
  readonly ticks: number;
}

/** Texts of `/proc`. */
export interface ProcessReadings {
  readonly stat: string;
  readonly bootId: string;
  readonly timeNamespace: string;
}

/** Returns null for unknown formats. */
export function parseReadings({ stat, bootId, timeNamespace }: ProcessReadings): ProcessStart | null {
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD] ?? NaN);
  if (!Number.isSafeInteger(ticks) || bootId.trim() === '') return null;
  const boot = createHash('sha256').update(`${bootId.trim()} ${timeNamespace}`).digest('hex').slice(0, 8);
  return { boot, ticks };
}

/** Returns when a process of this machine started; null if `/proc` does not say so. */
export async function readProcessStart(pid: number): Promise<ProcessStart | null> {
  const [stat, bootId, timeNamespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    // Kernels before 5.6 have none.
    readlink('/proc/self/ns/time').catch(() => ''),
  ]);
  return parseReadings({ stat, bootId, timeNamespace });
}

/** Formats a start for a file name, as a part without hyphens. */
export const formatProcessStart = ({ boot, ticks }: ProcessStart): string => `${boot}.${ticks}`;

/** @returns null for the names of older versions, which have no start */
export function parseProcessStart(text: string): ProcessStart | null {
  const [, boot, ticks] = /^([0-9a-f]{8})\.(\d+)$/.exec(text) ?? [];
  return boot === undefined ? null : { boot, ticks: Number(ticks) };
}

/** Returns whether the running process with an ID is certainly not the one that had it before.
 * @param isUntouched whether the earlier process has shown no life for a while */
export function isOtherProcess(
  earlier: ProcessStart | null,
  running: ProcessStart | null,
  isUntouched: boolean,
): boolean {
  if (earlier === null || running === null) return false;
  // A restart of the machine ends all processes. But a container may have a boot ID of its own.
  if (earlier.boot !== running.boot) return isUntouched;
  return earlier.ticks !== running.ticks;
}
