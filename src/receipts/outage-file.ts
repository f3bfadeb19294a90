import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findIntactEntry, isUnfinishedWrite } from './damaged-entries.js';
import { readBodyLength, decodeEntry, encodeEntry, END_OF_ENTRIES, ENTRY_HEADER_BYTES } from './outage-entry.js';
import { countRecords, findOldestReceivedAt, type UsageGroup } from './usage-record.js';

/** Size reserved at the start, for about 100,000 records, because a full disk may be part of the outage. */
const RESERVE_BYTES = 4 * 1024 * 1024;

const MAX_BYTES = 256 * 1024 * 1024;

/** Put before the name of a damaged file, so that no process adopts it. */
const DAMAGED_PREFIX = 'damaged-';

/** Unreadable part of a file. */
export interface Damage {
  /** Number of places, each of one entry or more. */
  readonly places: number;
  readonly bytes: number;
  /** Number of lost records; null in a file that another process wrote. */
  readonly records: number | null;
}

interface Entry {
  readonly groups: UsageGroup[];
  readonly bytes: number;
}

/** File of entries in the order they were appended. Removed entries may be read again after a crash; settling is idempotent. */
export class OutageFile {
  /** Offset of the oldest entry. */
  #head = 0;
  /** Length of the entry that `readOldest` returned. */
  #headEntryBytes = 0;
  #headEntryRecords = 0;
  #recordCount = 0;
  #damagedPlaces = 0;
  #damagedBytes = 0;
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

  /** Damage that `readOldest` has met; null without any. */
  get damage(): Damage | null {
    if (this.#damagedPlaces === 0) return null;
    const records = this.tail === null ? null : this.#recordCount;
    return { places: this.#damagedPlaces, bytes: this.#damagedBytes, records };
  }

  /** Whether all that remains of the file is damaged entries. */
  get isSpent(): boolean {
    return this.#damagedPlaces > 0 && this.tail !== null && this.#head >= this.tail && !this.#isAppending;
  }

  /** Reads the oldest intact entry, and skips damaged ones before it; null if there is none. */
  async readOldest(): Promise<UsageGroup[] | null> {
    if (!this.mayHaveEntries) return null;
    const entry = (await this.#readEntry(this.#head)) ?? (await this.#readAfterDamage());
    this.#headEntryBytes = entry?.bytes ?? 0;
    this.#headEntryRecords = countRecords(entry?.groups ?? []);
    return entry?.groups ?? null;
  }

  /** Removes the entry that `readOldest` returned. */
  async removeOldest(): Promise<void> {
    this.#head += this.#headEntryBytes;
    this.#headEntryBytes = 0;
    this.#recordCount -= this.#headEntryRecords;
    this.#headEntryRecords = 0;
    const isEmpty = this.tail !== null && this.#head >= this.tail;
    if (isEmpty && !this.#isAppending && this.#damagedPlaces === 0) await this.#reset(this.#head);
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

  /** Renames the file, so that it is kept for an operator. @returns the new path */
  async keepDamaged(): Promise<string> {
    await this.handle.close();
    const path = join(dirname(this.path), `${DAMAGED_PREFIX}${basename(this.path)}`);
    await rename(this.path, path);
    return path;
  }

  /** @param usedBytes overwritten with zeros: older entries after the end must not look like current ones */
  async #reset(usedBytes: number): Promise<void> {
    this.#head = 0;
    this.tail = 0;
    this.#recordCount = 0;
    const zeros = Buffer.alloc(Math.min(usedBytes, RESERVE_BYTES) + END_OF_ENTRIES.length);
    await this.handle.write(zeros, 0, zeros.length, 0);
    if ((await this.handle.stat()).size > RESERVE_BYTES) await this.handle.truncate(RESERVE_BYTES);
  }

  async #readEntry(offset: number): Promise<Entry | null> {
    const header = await this.#read(offset, ENTRY_HEADER_BYTES);
    const length = readBodyLength(header);
    if (length === 0 || length > MAX_BYTES) return null;
    const groups = decodeEntry(header, await this.#read(offset + ENTRY_HEADER_BYTES, length));
    return groups && { groups, bytes: ENTRY_HEADER_BYTES + length };
  }

  async #readAfterDamage(): Promise<Entry | null> {
    const { size } = await this.handle.stat();
    const header = await this.#read(this.#head, ENTRY_HEADER_BYTES);
    // The size is reserved before the first entry, so that a shorter file was cut; an empty one was only just created.
    const isCut = size > 0 && size < RESERVE_BYTES;
    if (this.tail === null && header.length < ENTRY_HEADER_BYTES && !isCut) return null;
    if (this.tail === null && header.equals(END_OF_ENTRIES)) return null;

    const entryEnd = this.#head + ENTRY_HEADER_BYTES + readBodyLength(header);
    const next = await this.#readEntry(entryEnd);
    if (next !== null && entryEnd < (this.tail ?? Infinity)) return this.#skipTo(entryEnd, next);
    const end = this.tail ?? size;
    const found = await findIntactEntry(this.#read.bind(this), this.#head, end, this.tail === null);
    if (found.isIntact) return this.#skipTo(found.offset, await this.#readEntry(found.offset));
    // Its requests were not answered, so nothing is lost.
    if (this.tail === null && !isCut && isUnfinishedWrite(found.offset, entryEnd)) return null;
    return this.#skipTo(found.offset, null);
  }

  #skipTo(offset: number, entry: Entry | null): Entry | null {
    this.#damagedPlaces += 1;
    this.#damagedBytes += offset - this.#head;
    this.#head = offset;
    return entry;
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
