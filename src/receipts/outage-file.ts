import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { countRecords, findOldestReceivedAt, type UsageGroup } from './usage-record.js';
import { readBodyLength, decodeEntry, encodeEntry, END_OF_ENTRIES, ENTRY_HEADER_BYTES } from './outage-entry.js';

/** Size reserved at the start, for about 100,000 records, because a full disk may be part of the outage. */
const RESERVE_BYTES = 4 * 1024 * 1024;

const MAX_BYTES = 256 * 1024 * 1024;

/** File of entries in the order they were appended. Removed entries may be read again after a crash; settling is idempotent. */
export class OutageFile {
  /** Offset of the oldest entry. */
  #head = 0;
  /** Length of the entry that `readOldest` returned. */
  #headEntryBytes = 0;
  #headEntryRecords = 0;
  #recordCount = 0;
  #isAppending = false;
  #oldestReceivedAt = Infinity;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    /** Offset of the next entry; null in a file that another process wrote. */
    private tail: number | null,
    /** ID in the registry of the dead process that wrote the file. */
    readonly deadWriter: string | null = null,
  ) {}

  /** Creates a file of the reserved size, durably. */
  static async create(path: string): Promise<OutageFile> {
    const handle = await open(path, 'wx+', 0o600);
    try {
      await handle.write(Buffer.alloc(RESERVE_BYTES), 0, RESERVE_BYTES, 0);
      await handle.sync();
      await syncFolder(dirname(path));
      return new OutageFile(path, handle, 0);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  static async openExisting(path: string, deadWriter: string | null): Promise<OutageFile> {
    return new OutageFile(path, await open(path, 'r+'), null, deadWriter);
  }

  /** Number of records that this process appended and did not remove. */
  get recordCount(): number {
    return this.mayHaveEntries ? this.#recordCount : 0;
  }

  get mayHaveEntries(): boolean {
    return this.tail === null || this.#head < this.tail;
  }

  /** Lower bound of the times at which the requests were received, in ms since 1970; Infinity without entries. */
  get oldestReceivedAt(): number {
    return this.mayHaveEntries ? this.#oldestReceivedAt : Infinity;
  }

  /** Returns false if another process adopted the file as abandoned. */
  async isInPlace(): Promise<boolean> {
    const there = await stat(this.path).catch(() => null);
    return there !== null && there.ino === (await this.handle.stat()).ino;
  }

  /** Resolves once the entry is durable. */
  async append(groups: readonly UsageGroup[]): Promise<void> {
    const start = this.tail;
    if (start === null) throw new Error('an adopted outage file is read-only');
    // Its caller has given up waiting.
    if (this.#isAppending) throw new Error('the local disk hangs');
    const entry = encodeEntry(groups);
    if (start + entry.length > MAX_BYTES) throw new Error('the outage file is full');
    const bytes = Buffer.concat([entry, END_OF_ENTRIES]);
    this.#isAppending = true;
    if (!this.mayHaveEntries) this.#oldestReceivedAt = Infinity;
    this.#oldestReceivedAt = Math.min(
      this.#oldestReceivedAt,
      findOldestReceivedAt(groups.flatMap(({ records }) => records)),
    );
    try {
      const { bytesWritten } = await this.handle.write(bytes, 0, bytes.length, start);
      if (bytesWritten < bytes.length) throw new Error('the outage file was only partly written');
      await this.handle.datasync();
      this.tail = start + entry.length;
      this.#recordCount += countRecords(groups);
    } finally {
      this.#isAppending = false;
    }
  }

  /** Reads the oldest entry; null if there is none. */
  async readOldest(): Promise<UsageGroup[] | null> {
    if (!this.mayHaveEntries) return null;
    const groups = await this.#readEntry();
    if (groups === null && this.tail !== null && !this.#isAppending) await this.#reset();
    return groups;
  }

  /** Removes the entry that `readOldest` returned. */
  async removeOldest(): Promise<void> {
    this.#head += this.#headEntryBytes;
    this.#headEntryBytes = 0;
    this.#recordCount -= this.#headEntryRecords;
    this.#headEntryRecords = 0;
    if (this.tail !== null && this.#head >= this.tail && !this.#isAppending) await this.#reset();
  }

  /** Shows other processes that the file is in use. */
  async touch(): Promise<void> {
    const now = new Date();
    await this.handle.utimes(now, now);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  async remove(): Promise<void> {
    await this.handle.close();
    await rm(this.path, { force: true });
  }

  async #reset(): Promise<void> {
    this.#head = 0;
    this.tail = 0;
    this.#recordCount = 0;
    await this.handle.write(END_OF_ENTRIES, 0, END_OF_ENTRIES.length, 0);
    if ((await this.handle.stat()).size > RESERVE_BYTES) await this.handle.truncate(RESERVE_BYTES);
  }

  async #readEntry(): Promise<UsageGroup[] | null> {
    const header = await this.#read(this.#head, ENTRY_HEADER_BYTES);
    const length = readBodyLength(header);
    if (length === 0 || length > MAX_BYTES) return null;
    this.#headEntryBytes = ENTRY_HEADER_BYTES + length;
    const groups = decodeEntry(header, await this.#read(this.#head + ENTRY_HEADER_BYTES, length));
    this.#headEntryRecords = countRecords(groups ?? []);
    return groups;
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }
}

/** Makes the name of a new file durable. Errors are ignored, because some systems cannot sync folders. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
