import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { identityOf } from '../file-identity.js';

/** Bad lines are written in pieces of about this length. */
const PIECE_CHARACTERS = 256 * 1024;

/** How many bytes of bad lines a command writes, to all its files together: a packed megabyte can hold gigabytes of them. */
export class RejectsLimit {
  #isReached = false;

  constructor(private bytes: number) {}

  /** @returns whether a line of so many bytes may be written; after the first that may not, none may */
  admits(bytes: number): boolean {
    this.#isReached ||= bytes > this.bytes;
    if (!this.#isReached) this.bytes -= bytes;
    return !this.#isReached;
  }

  get isReached(): boolean {
    return this.#isReached;
  }
}

/** Holds bad lines, of one input or of several; it exists only if there are any. */
export class RejectsFile {
  #handle: FileHandle | null = null;

  constructor(
    readonly path: string,
    private readonly limit: RejectsLimit,
  ) {}

  /** @throws Error if it is one of the inputs: bad lines that somebody has repaired must not be lost */
  async requireNoneOf(inputs: readonly string[]): Promise<void> {
    const own = await identityOf(this.path);
    if (own === null) return;
    for (const input of inputs) {
      // Standard input may be this very file.
      if ((await identityOf(input === '-' ? '/dev/stdin' : input)) !== own) continue;
      throw new Error(
        `${this.path} is to be loaded, but rejected lines would overwrite it: rename it, or say with --rejects FILE where they go`,
      );
    }
  }

  async clear(): Promise<void> {
    const found = await stat(this.path).catch(() => null);
    if (found?.isFile()) await rm(this.path).catch((error: Error) => this.#fail(error));
  }

  /** Writes what the limit admits. @param rejected bad lines or documents, with their places and reasons
   * @returns how many were left out */
  async add(rejected: readonly object[]): Promise<number> {
    let written = 0;
    if (this.limit.isReached) return rejected.length;
    try {
      this.#handle ??= await open(this.path, 'a');
      // In pieces: a batch may consist of long bad lines only.
      let piece = '';
      for (const line of rejected) {
        const text = `${JSON.stringify(line)}\n`;
        if (!this.limit.admits(Buffer.byteLength(text))) break;
        written += 1;
        piece += text;
        if (piece.length < PIECE_CHARACTERS) continue;
        await this.#handle.appendFile(piece);
        piece = '';
      }
      await this.#handle.appendFile(piece);
    } catch (error) {
      this.#fail(error as Error);
    }
    return rejected.length - written;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }

  #fail(cause: Error): never {
    const message = `rejected lines cannot be written to ${this.path} (${cause.message}): say with --rejects FILE where they go`;
    throw new Error(message, { cause });
  }
}
