import type { BigIntStats } from 'node:fs';
import { open, rm, stat, truncate, type FileHandle } from 'node:fs/promises';
import { PRIVATE_FILE_MODE } from '../new-folder.js';

/** Rejects are written in chunks of about this length. */
const CHUNK_CHARACTERS = 256 * 1024;

/** Limit of the bytes that a command writes to all its rejects files: a compressed megabyte can contain gigabytes. */
export class RejectsLimit {
  #isReached = false;

  constructor(private bytes: number) {}

  /** Reserves bytes for a line. @returns whether it may be written; after the first false, always false */
  reserve(bytes: number): boolean {
    this.#isReached ||= bytes > this.bytes;
    if (!this.#isReached) this.bytes -= bytes;
    return !this.#isReached;
  }

  get isReached(): boolean {
    return this.#isReached;
  }
}

/** A place in a rejects file, where an interrupted command can continue it. */
export interface RejectsMark {
  /** Distinguishes the file from others that had its name. */
  readonly file: string;
  readonly bytes: number;
}

const identify = ({ ino, birthtimeNs }: BigIntStats): string => `${ino} ${birthtimeNs}`;

/** File of the rejects of one or several inputs. It is created with the first reject. */
export class RejectsFile {
  #handle: FileHandle | null = null;
  #mark: RejectsMark | null = null;

  constructor(
    readonly path: string,
    private readonly limit: RejectsLimit,
  ) {}

  /** Deletes the file of an earlier run. */
  async clear(): Promise<void> {
    const stats = await stat(this.path).catch(() => null);
    if (stats?.isFile()) await rm(this.path).catch((error: Error) => this.#fail(error));
  }

  /** Continues the file of an interrupted command: removes what was written after a mark. @returns false if it is another file */
  async rewind(mark: RejectsMark): Promise<boolean> {
    const stats = await stat(this.path, { bigint: true }).catch(() => null);
    if (!stats?.isFile() || identify(stats) !== mark.file || stats.size < mark.bytes) return false;
    await truncate(this.path, mark.bytes).catch((error: Error) => this.#fail(error));
    this.limit.reserve(mark.bytes);
    this.#mark = mark;
    return true;
  }

  /** Returns the end of the file; null before the first reject, and if it is not a regular file. */
  async mark(): Promise<RejectsMark | null> {
    const stats = await this.#handle?.stat({ bigint: true });
    if (stats?.isFile()) this.#mark = { file: identify(stats), bytes: Number(stats.size) };
    return this.#mark;
  }

  /** Writes rejects up to the limit. @param rejected bad lines or documents, with their positions and reasons
   * @returns how many were not written */
  async add(rejected: readonly object[]): Promise<number> {
    let written = 0;
    if (this.limit.isReached) return rejected.length;
    try {
      this.#handle ??= await open(this.path, 'a', PRIVATE_FILE_MODE);
      // Write in chunks: a batch may consist of long bad lines only.
      let chunk = '';
      for (const line of rejected) {
        const text = `${JSON.stringify(line)}\n`;
        if (!this.limit.reserve(Buffer.byteLength(text))) break;
        written += 1;
        chunk += text;
        if (chunk.length < CHUNK_CHARACTERS) continue;
        await this.#handle.appendFile(chunk);
        chunk = '';
      }
      await this.#handle.appendFile(chunk);
    } catch (error) {
      this.#fail(error as Error);
    }
    return rejected.length - written;
  }

  async close(): Promise<void> {
    await this.mark();
    await this.#handle?.close();
    this.#handle = null;
  }

  #fail(cause: Error): never {
    const message = `rejected lines cannot be written to ${this.path} (${cause.message}): name another file with --rejects`;
    throw new Error(message, { cause });
  }
}
