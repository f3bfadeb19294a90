import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Small, so that reading gives way to the database's answers often. */
export const READ_BYTES = 64 * 1024;

export interface Input {
  readonly name: string;
  readonly bytes: Readable;
  /** Null where unknown. */
  readonly totalBytes: number | null;
}

/** Opens a file; `-` is standard input. */
export async function openInput(file: string): Promise<Input> {
  if (file === '-') return { name: 'standard input', bytes: process.stdin, totalBytes: null };
  if ((await stat(file)).isFIFO()) return { name: file, bytes: openPipe(file), totalBytes: null };
  // Opened here, so that a missing file is an error of this call.
  const handle = await open(file);
  const stats = await handle.stat();
  const bytes = handle.createReadStream({ highWaterMark: READ_BYTES });
  return { name: file, bytes, totalBytes: stats.isFile() ? stats.size : null };
}

/** Waits for a writer in the event loop: a thread that waits in `open` or `read` would outlast any signal. */
function openPipe(file: string): Readable {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
