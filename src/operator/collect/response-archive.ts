import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';
import type { CollectSource } from './collect-source.js';

/** Files of responses that `ingest` reads: one a source, process and UTC day. */
export class ResponseArchive {
  #day = '';
  #file: FileHandle | null = null;

  private constructor(
    private readonly folder: string,
    private readonly source: CollectSource,
  ) {}

  /** Creates the folder. @throws Error if it cannot be created */
  static async open(folder: string, source: CollectSource): Promise<ResponseArchive> {
    await createFolder(folder);
    return new ResponseArchive(folder, source);
  }

  /** Appends a response. @param text one line of JSON @param fetchedAt a date-time */
  async append(text: string, fetchedAt: string): Promise<void> {
    const day = fetchedAt.slice(0, 10);
    if (day !== this.#day || this.#file === null) {
      await this.close();
      // A file of its own for each process, so that a killed one cannot leave half a line in front of another's.
      this.#file = await open(
        join(this.folder, `${this.source}-${day}-${process.pid}-${Date.now()}.ndjson`),
        'a',
        0o600,
      );
      this.#day = day;
    }
    // `write` alone may write a part, such as on a full disk.
    await this.#file.appendFile(`${text}\n`);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }
}
