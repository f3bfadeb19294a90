import { createHash, randomBytes } from 'node:crypto';
import { readdir, rename, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFolder } from '../model/create-folder.js';
import { OutageFile } from './outage-file.js';
import type { UsageGroup } from './usage-record.js';

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
  #timer: NodeJS.Timeout | undefined;
  readonly #prefix: string;

  /** @param installation a name that files of other databases do not carry */
  constructor(
    private readonly folder: string,
    installation: string,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
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

  /** Resolves once it is durable. @throws Error if it cannot be made so */
  async append(groups: readonly UsageGroup[]): Promise<void> {
    if (this.#own !== null && !(await this.#own.isInPlace())) {
      // Taken for abandoned, with what is in it: this process had been stopped for a while.
      held.delete(this.#own.path);
      await this.#own.close();
      this.#own = null;
    }
    await (this.#own ?? (await this.#createOwn())).append(groups);
  }

  async oldest(): Promise<readonly UsageGroup[] | null> {
    for (let file = this.#inherited[0]; file !== undefined; file = this.#inherited[0]) {
      const groups = await file.oldest();
      this.#reading = file;
      if (groups !== null) return groups;
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
        if (!(await isAbandoned(path, name.slice(this.#prefix.length)))) continue;
        const ours = this.#newPath();
        // Before the rename: under its new name it must not look abandoned.
        const now = new Date();
        await utimes(path, now, now);
        held.add(ours);
        await rename(path, ours);
        this.#inherited.push(await OutageFile.openExisting(ours));
        this.logger.info({ file: ours }, 'usage records of an outage are taken over');
      } catch (error) {
        // Another process was first.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          this.logger.warn({ err: error, file: path }, 'usage records of an outage could not be taken over');
      }
    }
  }

  /** Leaves what is not in the store for the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const file of [...this.#inherited, ...(this.#own === null ? [] : [this.#own])]) {
      await (file.mayHaveEntries ? file.close() : file.remove());
      held.delete(file.path);
    }
    this.#inherited = [];
    this.#own = null;
  }

  async #createOwn(): Promise<OutageFile> {
    await createFolder(this.folder);
    const path = this.#newPath();
    held.add(path);
    try {
      return (this.#own = await OutageFile.create(path));
    } catch (error) {
      held.delete(path);
      throw error;
    }
  }

  #newPath(): string {
    return join(this.folder, `${this.#prefix}${HOST}-${process.pid}-${randomBytes(4).toString('hex')}`);
  }

  async #touch(): Promise<void> {
    for (const file of [...this.#inherited, this.#own]) await file?.touch().catch(() => undefined);
  }
}

/** @param owner host, process ID and a random part, as in the file's name */
async function isAbandoned(path: string, owner: string): Promise<boolean> {
  if (held.has(path)) return false;
  const [host, pid] = owner.split('-');
  if (host === HOST && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  return Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
