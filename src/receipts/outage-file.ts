import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { receivedFrom, type UsageGroup } from './usage-record.js';
import { bodyLength, decodeEntry, encodeEntry, END_OF_ENTRIES, ENTRY_HEADER_BYTES } from './outage-entry.js';

/** Room taken at the start, about 100,000 records: a full disk is one of the outages. */
const RESERVE_BYTES = 4 * 1024 * 1024;

/** An outage that fills more is beyond what the file is for. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Entries in the order they were appended. Those taken off may be read again after a crash: settling is idempotent. */
export class OutageFile {
  /** The first entry that was not taken off. */
  #head = 0;
  #headLength = 0;
  #isAppending = false;
  /** When the first request of the entries was received, or earlier. */
  #receivedFrom = Infinity;

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    /** Where the next entry goes; unknown in a file that another process wrote. */
    private tail: number | null,
    /** The dead process that wrote it, by its ID in the registry. */
    readonly deadWriter: string | null = null,
  ) {}

  /** Creates a file with room in it, durably. */
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

  get mayHaveEntries(): boolean {
    return this.tail === null || this.#head < this.tail;
  }

  /** When the first request of the entries was received, or earlier, in ms since 1970; Infinity without entries. */
  get receivedFrom(): number {
    return this.mayHaveEntries ? this.#receivedFrom : Infinity;
  }

  /** Whether the file is still where it was: another process may have taken it for abandoned. */
  async isInPlace(): Promise<boolean> {
    const there = await stat(this.path).catch(() => null);
    return there !== null && there.ino === (await this.handle.stat()).ino;
  }

  /** Resolves once the entry is durable. */
  async append(groups: readonly UsageGroup[]): Promise<void> {
    const start = this.tail;
    if (start === null) throw new Error('an inherited file is only read');
    // Somebody waited long enough for it.
    if (this.#isAppending) throw new Error('the local disk hangs');
    const entry = encodeEntry(groups);
    if (start + entry.length > MAX_BYTES) throw new Error('the outage file is full');
    const bytes = Buffer.concat([entry, END_OF_ENTRIES]);
    this.#isAppending = true;
    if (!this.mayHaveEntries) this.#receivedFrom = Infinity;
    this.#receivedFrom = Math.min(this.#receivedFrom, receivedFrom(groups.flatMap(({ records }) => records)));
    try {
      const { bytesWritten } = await this.handle.write(bytes, 0, bytes.length, start);
      if (bytesWritten < bytes.length) throw new Error('the outage file could not be written whole');
      await this.handle.datasync();
      this.tail = start + entry.length;
    } finally {
      this.#isAppending = false;
    }
  }

  /** @returns null when there are no more */
  async oldest(): Promise<UsageGroup[] | null> {
    if (!this.mayHaveEntries) return null;
    const groups = await this.#readEntry();
    if (groups === null && this.tail !== null && !this.#isAppending) await this.#startAnew();
    return groups;
  }

  /** Takes the entry off that `oldest` told. */
  async takeOff(): Promise<void> {
    this.#head += this.#headLength;
    this.#headLength = 0;
    if (this.tail !== null && this.#head >= this.tail && !this.#isAppending) await this.#startAnew();
  }

  /** Tells other processes that somebody has it. */
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

  async #startAnew(): Promise<void> {
    this.#head = 0;
    this.tail = 0;
    await this.handle.write(END_OF_ENTRIES, 0, END_OF_ENTRIES.length, 0);
    if ((await this.handle.stat()).size > RESERVE_BYTES) await this.handle.truncate(RESERVE_BYTES);
  }

  async #readEntry(): Promise<UsageGroup[] | null> {
    const header = await this.#read(this.#head, ENTRY_HEADER_BYTES);
    const length = bodyLength(header);
    if (length === 0 || length > MAX_BYTES) return null;
    this.#headLength = ENTRY_HEADER_BYTES + length;
    return decodeEntry(header, await this.#read(this.#head + ENTRY_HEADER_BYTES, length));
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }
}

/** The name of a new file is durable only with its folder; some systems cannot do that, or need not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
