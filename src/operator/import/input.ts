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
}

/** Opens a file, a named pipe, or standard input (`-`). @param start first byte to read; only of a regular file */
export async function openInput(file: string, start = 0): Promise<Input> {
  if (file === '-') return { name: 'standard input', bytes: process.stdin, totalBytes: null };
  if ((await stat(file)).isFIFO()) return { name: file, bytes: openPipe(file), totalBytes: null };
  // Open eagerly, so that this call reports a missing file.
  const handle = await open(file);
  const stats = await handle.stat();
  const bytes = handle.createReadStream({ start, highWaterMark: READ_CHUNK_BYTES });
  return { name: file, bytes, totalBytes: stats.isFile() ? stats.size : null };
}

/** Opens a named pipe without blocking: a thread blocked in `open` or `read` would keep the process alive after a signal. */
function openPipe(file: string): Readable {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
