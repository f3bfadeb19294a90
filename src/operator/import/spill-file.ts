import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Written in pieces of this size; what never fills one never becomes a file. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Texts put aside to be read back in another order: the first in memory, more in the system's folder for temporary files
 * (`TMPDIR`). The file has no name, so that nothing of it outlives the process, however that ends.
 *
 * Reads and writes are synchronous: what was written a moment ago is in the memory of the system, from where a thousand
 * short reads take two milliseconds, and ten times as much by way of the thread pool.
 */
export class SpillFile {
  #file: number | null = null;
  #bytesInFile = 0;
  #piece: Buffer = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #bytesInPiece = 0;
  #readInto: Buffer = Buffer.alloc(0);

  constructor(private readonly folder = tmpdir()) {}

  /** How much was put aside, which is where the next text begins. */
  get bytes(): number {
    return this.#bytesInFile + this.#bytesInPiece;
  }

  append(text: string): void {
    const most = text.length * 3;
    if (this.#bytesInPiece + most > this.#piece.length) {
      this.#flush();
      if (most > this.#piece.length) this.#piece = Buffer.allocUnsafeSlow(most);
    }
    this.#bytesInPiece += this.#piece.write(text, this.#bytesInPiece);
  }

  /** The bytes from `start` to `end`, the bounds of texts that were appended. They are valid until the next read. */
  read(start: number, end: number): Buffer {
    if (start >= this.#bytesInFile) return this.#piece.subarray(start - this.#bytesInFile, end - this.#bytesInFile);
    const file = this.#file;
    if (file === null) throw new Error('a temporary file was closed before it was read');
    const length = end - start;
    if (this.#readInto.length < length) this.#readInto = Buffer.allocUnsafeSlow(2 * length);
    for (let done = 0; done < length;) {
      const count = readSync(file, this.#readInto, done, length - done, start + done);
      if (count === 0) throw new Error('a temporary file has become shorter');
      done += count;
    }
    return this.#readInto.subarray(0, length);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #flush(): void {
    try {
      this.#file ??= openNameless(this.folder);
      for (let done = 0; done < this.#bytesInPiece;) {
        done += writeSync(this.#file, this.#piece, done, this.#bytesInPiece - done);
      }
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`cannot put lines aside in ${this.folder}: ${message} (TMPDIR sets another folder)`, {
        cause: error,
      });
    }
    this.#bytesInFile += this.#bytesInPiece;
    this.#bytesInPiece = 0;
  }
}

function openNameless(folder: string): number {
  const path = join(folder, `creator-data-import-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}
