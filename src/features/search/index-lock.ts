import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { createFolder } from '../../model/create-folder.js';

/** Lock by which one process of a machine writes the index. The system releases it when the process ends, however it does. */
export class IndexLock {
  #held: DatabaseSyncInstance | null = null;
  #identity: number | null = null;

  constructor(private readonly folder: string) {}

  /** Acquires the lock, unless another process has it. @returns whether this process has it @throws Error if the folder cannot
   * be written */
  async acquire(): Promise<boolean> {
    if (this.#held !== null && this.#readIdentity() === this.#identity) return true;
    // The folder was deleted or replaced: another process may have locked the new file.
    this.release();
    // Imported lazily: the driver is a native addon, which a service on MySQL may otherwise not need at its start.
    const { DatabaseSync } = await import('@photostructure/sqlite');
    await createFolder(this.folder);
    const database = new DatabaseSync(this.#path, { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      const { sqliteCodeName } = error as { readonly sqliteCodeName?: string };
      if (sqliteCodeName === 'SQLITE_BUSY') return false;
      throw error;
    }
    this.#held = database;
    this.#identity = this.#readIdentity();
    return true;
  }

  get #path(): string {
    return join(this.folder, 'lock.sqlite');
  }

  #readIdentity(): number | null {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino ?? null;
  }

  release(): void {
    this.#held?.close();
    this.#held = null;
  }
}
