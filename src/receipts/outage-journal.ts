import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../model/create-folder.js';
import { formatOwnName, isProvenDead, parseOwner } from './file-owner.js';
import { OutageFile, type Damage } from './outage-file.js';
import type { UsageGroup } from './usage-record.js';
import type { WriterRegistry } from './writer-registry.js';

/** Interval at which files are touched, and those of other processes are checked. */
const TOUCH_MS = 5000;

/** Time without a touch after which a file counts as abandoned. */
const ABANDONED_MS = 30_000;

/** Files that this process has open. A file of a dead process may have the same process ID in its name. */
const openPaths = new Set<string>();

/** The part of a logger that the journal uses. */
export interface JournalLogger {
  /** Logs a damaged file, under the name that it is kept with. */
  error(details: { readonly file: string }, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

/** Queue of records on the local disk, until the store can take them. Each process appends to its own file. Files of dead
 * processes are adopted by a rename, which succeeds for one process only. */
export class OutageJournal {
  #ownFile: OutageFile | null = null;
  #adopted: OutageFile[] = [];
  #reading: OutageFile | null = null;
  /** Stays true if an adopted file cannot be opened, because its records are then unknown. */
  #isAdopting = false;
  #timer: NodeJS.Timeout | undefined;
  #lostRecords = 0;
  readonly #prefix: string;

  /**
   * @param installation part of the file name that is unique to the database
   * @param registry dead processes are removed from it once their files are settled
   * @param writerId ID of this process in the registry; null in a command, which only adopts files
   */
  constructor(
    private readonly folder: string,
    installation: string,
    private readonly logger: JournalLogger,
    private readonly registry: Pick<WriterRegistry, 'remove'>,
    private readonly writerId: string | null = null,
  ) {
    this.#prefix = `usage-outage-${installation}-`;
  }

  /** Reserves a file, and adopts abandoned ones. The service starts even if that fails. */
  async start(): Promise<void> {
    await this.#reserveOwn();
    await this.adoptOrphans();
    this.#timer = setInterval(() => {
      void this.#touch().then(() => this.adoptOrphans());
    }, TOUCH_MS).unref();
  }

  get hasEntries(): boolean {
    return this.#adopted.length > 0 || this.#ownFile?.mayHaveEntries === true;
  }

  /** Number of records in the own file; null with adopted files, which are not read for this. */
  get recordCount(): number | null {
    if (this.#isAdopting || this.#adopted.length > 0) return null;
    return this.#ownFile?.recordCount ?? 0;
  }

  /** Lower bound of the times at which the requests were received, in ms since 1970: Infinity without entries, 0 with
   * adopted files, which are not read for this. */
  get oldestReceivedAt(): number {
    if (this.#isAdopting || this.#adopted.length > 0) return 0;
    return this.#ownFile?.oldestReceivedAt ?? Infinity;
  }

  /** Records of the own files that were damaged. */
  get lostRecords(): number {
    return this.#lostRecords;
  }

  /** Resolves once the entry is durable. @throws Error if that fails */
  async append(groups: readonly UsageGroup[]): Promise<void> {
    await this.#replaceAdopted();
    await (this.#ownFile ?? (await this.#createOwn())).append(groups);
  }

  async readOldest(): Promise<readonly UsageGroup[] | null> {
    for (let file = this.#adopted[0]; file !== undefined; file = this.#adopted[0]) {
      const groups = await file.readOldest();
      this.#reading = file;
      if (groups !== null) return groups;
      await this.#finishAdopted(file);
    }
    this.#reading = this.#ownFile;
    const groups = (await this.#ownFile?.readOldest()) ?? null;
    await this.#replaceDamaged();
    return groups;
  }

  async removeOldest(): Promise<void> {
    await this.#reading?.removeOldest();
    await this.#replaceDamaged();
  }

  async adoptOrphans(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(this.#prefix)).toSorted()) {
      const path = join(this.folder, name);
      try {
        await this.#adopt(path, name.slice(this.#prefix.length));
      } catch (error) {
        // Another process was first.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.logger.warn({ err: error, file: path }, 'could not adopt usage records of an outage');
      }
    }
  }

  /** Leaves unsettled entries for the next start.
   * @param isRegistered keeps the own file even if empty: it tells the next process to remove this writer */
  async close(isRegistered = false): Promise<void> {
    clearInterval(this.#timer);
    for (const file of [...this.#adopted, ...(this.#ownFile === null ? [] : [this.#ownFile])]) {
      const isKept = file.mayHaveEntries || (isRegistered && file === this.#ownFile);
      await (isKept ? file.close() : file.remove());
      openPaths.delete(file.path);
    }
    this.#adopted = [];
    this.#ownFile = null;
  }

  async #adopt(path: string, name: string): Promise<void> {
    if (openPaths.has(path)) return;
    const owner = parseOwner(name);
    const { mtimeMs } = await stat(path);
    const isUntouched = Date.now() - mtimeMs > ABANDONED_MS;
    const isDead = await isProvenDead(owner, isUntouched);
    if (!isDead && !isUntouched) return;
    // A paused process may resume, so only a dead one is removed from the registry.
    const deadWriter = isDead ? owner.writerId : null;
    const newPath = await this.#newPath(deadWriter);
    // Before the rename: the file must not look abandoned under its new name.
    const now = new Date();
    await utimes(path, now, now);
    openPaths.add(newPath);
    this.#isAdopting = true;
    try {
      await rename(path, newPath);
    } catch (error) {
      openPaths.delete(newPath);
      this.#isAdopting = false;
      throw error;
    }
    this.#adopted.push(await OutageFile.openExisting(newPath, deadWriter));
    this.#isAdopting = false;
    this.logger.info({ file: newPath }, 'adopted usage records of an outage');
  }

  /** The writer of a damaged file stays in the registry: its days are open until an operator dismisses it. */
  async #finishAdopted(file: OutageFile): Promise<void> {
    // Before the file is removed: only the file names the dead writer.
    if (file.deadWriter !== null && file.damage === null) await this.registry.remove(file.deadWriter);
    this.#adopted.shift();
    openPaths.delete(file.path);
    if (file.damage !== null) return this.#keepDamaged(file, file.damage);
    await file.remove();
    this.logger.info({ file: file.path }, 'recorded usage of an earlier outage');
  }

  async #replaceDamaged(): Promise<void> {
    const file = this.#ownFile;
    if (file?.isSpent !== true || file.damage === null) return;
    this.#ownFile = null;
    openPaths.delete(file.path);
    this.#lostRecords += file.damage.records ?? 0;
    await this.#keepDamaged(file, file.damage);
    await this.#reserveOwn();
  }

  async #keepDamaged(file: OutageFile, { places, bytes, records }: Damage): Promise<void> {
    const path = await file.keepDamaged();
    const details = { writer: file.deadWriter, damaged_places: places, damaged_bytes: bytes, lost_records: records };
    this.logger.error({ file: path, ...details }, 'usage records of an outage are lost: the file is damaged, and kept');
  }

  async #reserveOwn(): Promise<void> {
    try {
      await this.#createOwn();
    } catch (error) {
      this.logger.warn({ err: error, folder: this.folder }, 'could not reserve a file for usage records of an outage');
    }
  }

  async #createOwn(): Promise<OutageFile> {
    await createFolder(this.folder);
    const path = await this.#newPath(this.writerId);
    openPaths.add(path);
    try {
      return (this.#ownFile = await OutageFile.create(path));
    } catch (error) {
      openPaths.delete(path);
      throw error;
    }
  }

  async #newPath(writerId: string | null): Promise<string> {
    return join(this.folder, `${this.#prefix}${await formatOwnName(writerId)}`);
  }

  async #touch(): Promise<void> {
    for (const file of [...this.#adopted, this.#ownFile]) await file?.touch().catch(() => undefined);
    // If this process is killed, its file tells the next one to remove it from the registry.
    if (this.#ownFile?.mayHaveEntries === false) await this.#replaceAdopted().catch(() => undefined);
  }

  /** Replaces the own file if another process adopted it, with its entries, while this process was paused. */
  async #replaceAdopted(): Promise<void> {
    if (this.#ownFile === null || (await this.#ownFile.isInPlace())) return;
    openPaths.delete(this.#ownFile.path);
    await this.#ownFile.close();
    this.#ownFile = null;
    await this.#createOwn();
  }
}
