import { constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { ImportKind } from './parse-line.js';

/** Bytes per read. Small, so that the event loop can handle responses of the database in between. */
export const READ_CHUNK_BYTES = 64 * 1024;

/** A file to load. */
export interface ImportInput {
  readonly kind: ImportKind;
  readonly file: string;
  /** SHA-256 in hexadecimal, if it is known. */
  readonly sha256: string | null;
}

/** An open input. */
export interface Input {
  readonly name: string;
  readonly bytes: Readable;
  /** Null if unknown. */
  readonly totalBytes: number | null;
  /** Call it after the last byte. @throws Error if the file was written since it was opened */
  readonly requireUnchanged: () => Promise<void>;
}

const cannotChange = (): Promise<void> => Promise.resolve();

/** Opens a file, a named pipe, or standard input (`-`). @param start first byte to read; only of a regular file */
export async function openInput(file: string, start = 0): Promise<Input> {
  if (file === '-') {
    return { name: 'standard input', bytes: process.stdin, totalBytes: null, requireUnchanged: cannotChange };
  }
  if ((await stat(file)).isFIFO()) {
    return { name: file, bytes: openPipe(file), totalBytes: null, requireUnchanged: cannotChange };
  }
  // Open eagerly, so that this call reports a missing file.
  const handle = await open(file);
  const stats = await handle.stat();
  const bytes = handle.createReadStream({ start, highWaterMark: READ_CHUNK_BYTES });
  if (!stats.isFile()) return { name: file, bytes, totalBytes: null, requireUnchanged: cannotChange };
  const requireUnchanged = async (): Promise<void> => {
    const now = await stat(file).catch(() => null);
    // A file that took the place of this one is another: this one was read to its end.
    if (now === null || now.ino !== stats.ino) return;
    if (now.size !== stats.size || now.mtimeMs !== stats.mtimeMs) {
      throw new Error('the file was written while it was read: read it again when it is complete');
    }
  };
  return { name: file, bytes, totalBytes: stats.size, requireUnchanged };
}

/** Opens a named pipe without blocking: a thread blocked in `open` or `read` would keep the process alive after a signal. */
function openPipe(file: string): Readable {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
