import { statfsSync, statSync } from 'node:fs';
import { StoreUnavailableError } from '../database.js';

/** Maximum bytes that a transaction writes to the log when it commits, which is the size of its page cache. */
const LOG_BYTES = 32 * 1024 * 1024;

/** Growth below which the free disk space is not checked. */
const MIN_CHECKED_BYTES = 1024 * 1024;

/** File that a connection has open. SQLite does not notice when it is deleted or replaced, and keeps writing to the old file. */
export class OpenedFile {
  readonly #identity: string | null;
  #checkedAt = 0;

  constructor(private readonly path: string) {
    this.#identity = fileIdentity(path);
  }

  /** Checks that the path still names the open file. @param maxAgeMs how long an earlier check remains valid
   * @throws StoreUnavailableError if the file was deleted or replaced */
  requirePresent(maxAgeMs = 0): void {
    const now = performance.now();
    if (now - this.#checkedAt < maxAgeMs) return;
    if (fileIdentity(this.path) !== this.#identity) {
      throw new StoreUnavailableError(new Error(`${this.path} was deleted or replaced while it was in use`));
    }
    this.#checkedAt = now;
  }

  /** Checks the disk space before a commit: a committed log that cannot be moved into the file would fill the disk permanently.
   * @param size size of the file after the commit, in bytes
   * @throws StoreUnavailableError if the disk has too little space for the growth of the file and the log */
  requireDiskSpace(size: number): void {
    const growth = size - statSync(this.path).size;
    if (growth < MIN_CHECKED_BYTES) return;
    const { bavail, bsize } = statfsSync(this.path);
    if (bavail * bsize >= growth + LOG_BYTES) return;
    const error = new Error(
      `the disk has too little space for ${this.path} to grow by ${Math.ceil(growth / 1024 ** 2)} MiB`,
    );
    throw new StoreUnavailableError(Object.assign(error, { code: 'SQLITE_FULL' }));
  }
}

/** Returns an identifier of the file at a path; null if there is none. */
function fileIdentity(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
