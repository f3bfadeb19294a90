import { statfsSync, statSync } from 'node:fs';
import { StoreUnavailableError } from '../database.js';

/** What a transaction may have to write into the log when it commits: all that is cached of it. */
const LOG_BYTES = 32 * 1024 * 1024;

/** Growth that is not worth looking at the disk. */
const SMALL_BYTES = 1024 * 1024;

/** The file that a connection has open. SQLite does not notice when it is deleted or replaced, and writes on into nowhere. */
export class OpenedFile {
  readonly #identity: string | null;
  #checkedAt = 0;

  constructor(private readonly path: string) {
    this.#identity = identityOf(path);
  }

  /** @param maxAgeMs how long an earlier check holds @throws StoreUnavailableError if the path leads elsewhere now */
  requireThere(maxAgeMs = 0): void {
    const now = performance.now();
    if (now - this.#checkedAt < maxAgeMs) return;
    if (identityOf(this.path) !== this.#identity) {
      throw new StoreUnavailableError(new Error(`${this.path} was deleted or replaced while it was in use`));
    }
    this.#checkedAt = now;
  }

  /** A log that is committed but has no room to be moved into the file would take the rest of the disk for good.
   * @throws StoreUnavailableError if the disk has no room for the log and the file of this size */
  requireRoomFor(size: number): void {
    const growth = size - statSync(this.path).size;
    if (growth < SMALL_BYTES) return;
    const { bavail, bsize } = statfsSync(this.path);
    if (bavail * bsize >= growth + LOG_BYTES) return;
    const error = new Error(`the disk is too full for ${this.path} to grow by ${Math.ceil(growth / 1024 ** 2)} MiB`);
    throw new StoreUnavailableError(Object.assign(error, { code: 'SQLITE_FULL' }));
  }
}

/** Tells files apart, whatever they are called; null where there is none. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
