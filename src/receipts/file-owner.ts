import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  formatProcessStart,
  isOtherProcess,
  parseProcessStart,
  readProcessStart,
  type ProcessStart,
} from './process-start.js';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Owner of an outage file, by its name. */
export interface FileOwner {
  readonly host: string;
  readonly pid: number;
  /** Null without `/proc`, and in files of older versions. */
  readonly start: ProcessStart | null;
  /** ID in the registry of the process whose records are in the file; null in files of older versions. */
  readonly writerId: string | null;
}

/** Returns the end of the name of a new file of this process, as `parseOwner` reads it. */
export async function formatOwnName(writerId: string | null): Promise<string> {
  const start = await readProcessStart(process.pid);
  const unique = [randomBytes(4).toString('hex'), ...(start === null ? [] : [formatProcessStart(start)])].join('.');
  return [HOST, process.pid, unique, ...(writerId === null ? [] : [writerId])].join('-');
}

/** @param name end of the file name: host, process ID, random part with the process's start and, if registered, the writer's ID */
export function parseOwner(name: string): FileOwner {
  const [host = '', pid, unique = '', writerId = null] = name.split('-');
  const start = parseProcessStart(unique.slice(unique.indexOf('.') + 1));
  return { host, pid: Number(pid), start, writerId };
}

/** Returns whether the owner has certainly ended.
 * @param isUntouched whether the owner has not touched its file for a while */
export async function isProvenDead({ host, pid, start }: FileOwner, isUntouched: boolean): Promise<boolean> {
  if (host !== HOST) return false;
  if (pid === process.pid || !isAlive(pid)) return true;
  return isOtherProcess(start, await readProcessStart(pid), isUntouched);
}

/** Returns whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
