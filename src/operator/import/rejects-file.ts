import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { identityOf } from '../file-identity.js';

/** Bad lines are written in pieces of about this length. */
const PIECE_CHARACTERS = 256 * 1024;

/** Holds bad lines, of one input or of several; it exists only if there are any. */
export class RejectsFile {
  #handle: FileHandle | null = null;

  constructor(readonly path: string) {}

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

  /** @param rejected bad lines or documents, with their places and reasons */
  async add(rejected: readonly object[]): Promise<void> {
    try {
      this.#handle ??= await open(this.path, 'a');
      // In pieces: a batch may consist of long bad lines only.
      let piece = '';
      for (const line of rejected) {
        piece += `${JSON.stringify(line)}\n`;
        if (piece.length < PIECE_CHARACTERS) continue;
        await this.#handle.appendFile(piece);
        piece = '';
      }
      await this.#handle.appendFile(piece);
    } catch (error) {
      this.#fail(error as Error);
    }
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
