import { createHash, randomBytes } from 'node:crypto';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFolder } from '../model/create-folder.js';
import { OutageFile } from './outage-file.js';
import { startOf } from './process-start.js';
import type { UsageGroup } from './usage-record.js';
import type { WriterRegistry } from './writer-registry.js';

/** How often files are touched, and those of others looked at. */
const TOUCH_MS = 5000;

/** A file untouched for so long is abandoned, whoever had it. */
const ABANDONED_MS = 30_000;

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Files that this process has open: the one way to tell them from those of a dead process with the same ID. */
const held = new Set<string>();

/** What was answered while the store failed, on the local disk, until the store has it. A process writes a file of its
 * own; files of dead processes are taken over by a rename, which only one process can do. */
export class OutageJournal {
  #own: OutageFile | null = null;
  #inherited: OutageFile[] = [];
  #reading: OutageFile | null = null;
  /** A file is being taken over, or was renamed and could not be opened. */
  #isAdopting = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #prefix: string;

  /**
   * @param installation a name that files of other databases do not carry
   * @param registry loses the dead processes whose files are settled
   * @param writerId of this process in the registry; null in a command, which only takes files over
   */
  constructor(
    private readonly folder: string,
    installation: string,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
    private readonly registry: Pick<WriterRegistry, 'remove'>,
    private readonly writerId: string | null = null,
  ) {
    this.#prefix = `usage-outage-${installation}-`;
  }

  /** Takes over abandoned files, and reserves one. Without it the service starts all the same. */
  async start(): Promise<void> {
    try {
      await this.#createOwn();
    } catch (error) {
      this.logger.warn({ err: error, folder: this.folder }, 'no file could be reserved for the records of an outage');
    }
    await this.takeOver();
    this.#timer = setInterval(() => {
      void this.#touch().then(() => this.takeOver());
    }, TOUCH_MS).unref();
  }

  get hasEntries(): boolean {
    return this.#inherited.length > 0 || this.#own?.mayHaveEntries === true;
  }

  /** When the first request of the entries was received, or earlier, in ms since 1970; Infinity without entries. Files that
   * were taken over are not read for it. */
  get receivedFrom(): number {
    if (this.#isAdopting || this.#inherited.length > 0) return 0;
    return this.#own?.receivedFrom ?? Infinity;
  }

  /** Resolves once it is durable. @throws Error if it cannot be made so */
  async append(groups: readonly UsageGroup[]): Promise<void> {
    await this.#replaceLost();
    await (this.#own ?? (await this.#createOwn())).append(groups);
  }

  async oldest(): Promise<readonly UsageGroup[] | null> {
    for (let file = this.#inherited[0]; file !== undefined; file = this.#inherited[0]) {
      const groups = await file.oldest();
      this.#reading = file;
      if (groups !== null) return groups;
      // Before the file goes: nothing else tells the next process of this writer.
      if (file.deadWriter !== null) await this.registry.remove(file.deadWriter);
      this.#inherited.shift();
      held.delete(file.path);
      await file.remove();
      this.logger.info({ file: file.path }, 'usage records of an earlier outage are in the store');
    }
    this.#reading = this.#own;
    return this.#own?.oldest() ?? null;
  }

  async takeOff(): Promise<void> {
    await this.#reading?.takeOff();
  }

  async takeOver(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(this.#prefix)).toSorted()) {
      const path = join(this.folder, name);
      try {
        await this.#adopt(path, name.slice(this.#prefix.length));
      } catch (error) {
        // Another process was first.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.logger.warn({ err: error, file: path }, 'usage records of an outage could not be taken over');
      }
    }
  }

  /** Leaves what is not in the store for the next start. @param isRegistered whether its own file must tell of this writer */
  async close(isRegistered = false): Promise<void> {
    clearInterval(this.#timer);
    for (const file of [...this.#inherited, ...(this.#own === null ? [] : [this.#own])]) {
      const isLeft = file.mayHaveEntries || (isRegistered && file === this.#own);
      await (isLeft ? file.close() : file.remove());
      held.delete(file.path);
    }
    this.#inherited = [];
    this.#own = null;
  }

  async #adopt(path: string, name: string): Promise<void> {
    if (held.has(path)) return;
    const owner = ownerOf(name);
    const { mtimeMs } = await stat(path);
    const isDead = await isProvenDead(owner, mtimeMs);
    if (!isDead && Date.now() - mtimeMs <= ABANDONED_MS) return;
    // A process that is only paused goes on: it stays in the registry.
    const deadWriter = isDead ? owner.writerId : null;
    const ours = this.#newPath(deadWriter);
    // Before the rename: under its new name it must not look abandoned.
    const now = new Date();
    await utimes(path, now, now);
    held.add(ours);
    this.#isAdopting = true;
    try {
      await rename(path, ours);
    } catch (error) {
      held.delete(ours);
      this.#isAdopting = false;
      throw error;
    }
    this.#inherited.push(await OutageFile.openExisting(ours, deadWriter));
    this.#isAdopting = false;
    this.logger.info({ file: ours }, 'usage records of an outage are taken over');
  }

  async #createOwn(): Promise<OutageFile> {
    await createFolder(this.folder);
    const path = this.#newPath(this.writerId);
    held.add(path);
    try {
      return (this.#own = await OutageFile.create(path));
    } catch (error) {
      held.delete(path);
      throw error;
    }
  }

  #newPath(writerId: string | null): string {
    const parts = [HOST, process.pid, randomBytes(4).toString('hex'), ...(writerId === null ? [] : [writerId])];
    return join(this.folder, `${this.#prefix}${parts.join('-')}`);
  }

  async #touch(): Promise<void> {
    for (const file of [...this.#inherited, this.#own]) await file?.touch().catch(() => undefined);
    // Should this process be killed now, its file tells others that it may leave the registry.
    if (this.#own?.mayHaveEntries === false) await this.#replaceLost().catch(() => undefined);
  }

  /** Drops its own file if that was taken for abandoned, with what is in it: this process had been stopped for a while. */
  async #replaceLost(): Promise<void> {
    if (this.#own === null || (await this.#own.isInPlace())) return;
    held.delete(this.#own.path);
    await this.#own.close();
    this.#own = null;
    await this.#createOwn();
  }
}

/** The process that has a file. */
interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Whose records are in it, by the ID in the registry; null in files of versions without one. */
  readonly writerId: string | null;
}

/** @param name host, process ID, a random part, and the writer if the registry may have it, as in the file's name */
function ownerOf(name: string): Owner {
  const [host = '', pid, , writerId = null] = name.split('-');
  return { host, pid: Number(pid), writerId };
}

/** @param touchedAt when the owner last touched its file: one that started later has only got its process ID */
async function isProvenDead({ host, pid }: Owner, touchedAt: number): Promise<boolean> {
  if (host !== HOST) return false;
  if (pid === process.pid || !isAlive(pid)) return true;
  const startedAt = await startOf(pid);
  return startedAt !== null && startedAt > touchedAt;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
