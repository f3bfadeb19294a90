import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FEED_KINDS, type FeedKind } from '../../../src/features/changes/feeds.js';
import { BuiltProcess, type ProcessResult } from '../process/processes.js';
import type { TestDatabase } from '../stores/test-database.js';
import { anId, aRecord, aResponse, P, type Random } from './random-records.js';

/** Creators of the drill: more than a file has lines of a kind, so that each changes only some of them. */
const CREATORS = 2000;

/** Documents of analyses have some kilobytes. */
const LARGE_KINDS: readonly FeedKind[] = ['analysis', 'audience'];
const LARGE_FACTOR = 8;

/** Users of a response. */
const USERS = 100;

/** One command in so many is killed, at a random moment of this time. */
const KILL_ONE_IN = 3;
const KILL_WITHIN_MS = 2000;

/** Why a command may fail although nothing is wrong: the embedded database is in use, or the creator is not stored or forgotten. */
const EXPECTED = /is using the log|database is locked|nothing is stored about|was not forgotten/;

/** Attempts of a command before the drill fails. */
const ATTEMPTS = 50;

/** Numbers of what writers did. */
export interface Written {
  /** Lines of imports, ingested users, and other commands. */
  operations: number;
  commands: number;
  kills: number;
}

/** One of the writers: runs random commands in processes of their own, kills some of them, and runs those again. */
export class WriterProcess {
  #file: { readonly kind: FeedKind; readonly path: string; readonly lines: number } | null = null;

  constructor(
    private readonly database: TestDatabase,
    private readonly nth: number,
    private readonly random: Random,
    private readonly linesPerFile: number,
    private readonly written: Written,
  ) {}

  async writeUntil(operations: number): Promise<void> {
    while (this.written.operations < operations) {
      const done = await this.#runOne();
      // Not `+= await`, which would lose what other writers add meanwhile.
      this.written.operations += done;
    }
  }

  /** @returns the number of operations */
  async #runOne(): Promise<number> {
    const choice = this.random(100);
    if (choice < 55) return this.#import(this.#createFile());
    // The same bytes again.
    if (choice < 65) return this.#import(this.#file ?? this.#createFile());
    if (choice < 77) return this.#command('forget', P, anId(this.random, CREATORS), '--yes', '--unknown');
    if (choice < 87) return this.#command('forget', P, anId(this.random, CREATORS), '--undo');
    if (choice < 95) return this.#ingest();
    return this.#command('purge', '--older-than', `${1 + this.random(2)}d`, '--yes');
  }

  #createFile() {
    const kind = FEED_KINDS[this.random(FEED_KINDS.length)] ?? 'profiles';
    const most = Math.ceil(this.linesPerFile / (LARGE_KINDS.includes(kind) ? LARGE_FACTOR : 1));
    const lines = Math.ceil(most / 2) + this.random(most);
    const path = join(this.database.folder, `writer-${this.nth}.ndjson`);
    const text = Array.from({ length: lines }, () => `${JSON.stringify(aRecord(kind, this.random, CREATORS))}\n`);
    writeFileSync(path, text.join(''));
    return (this.#file = { kind, path, lines });
  }

  async #import({ kind, path, lines }: { readonly kind: FeedKind; readonly path: string; readonly lines: number }) {
    await this.#command('import', kind, path);
    return lines;
  }

  async #ingest(): Promise<number> {
    const path = join(this.database.folder, `ingest-${this.nth}.ndjson`);
    writeFileSync(path, `${JSON.stringify(aResponse(this.random, CREATORS, USERS, Date.now()))}\n`);
    await this.#command('ingest', 'twitch', path);
    return USERS;
  }

  /** Runs a command until it ends by itself. */
  async #command(...args: readonly string[]): Promise<number> {
    let result = await this.#attempt(args, this.random(KILL_ONE_IN) === 0);
    for (let nth = 1; result.status === null || result.status === 1; nth += 1) {
      if (result.status === 1 && /nothing is stored|was not forgotten/.test(result.err)) break;
      if (result.status === 1 && !EXPECTED.test(result.err)) throw new Error(`${args.join(' ')}: ${result.err}`);
      if (nth === ATTEMPTS) throw new Error(`${args.join(' ')} did not end: ${result.err}`);
      const isResumed = args[0] === 'import' && this.random(2) === 0;
      result = await this.#attempt(isResumed ? [...args, '--resume'] : args, this.random(KILL_ONE_IN) === 0);
    }
    // 2: it rejected lines about forgotten creators.
    if (result.status !== 0 && result.status !== 1 && result.status !== 2) {
      throw new Error(`${args.join(' ')}: ${result.status} ${result.err}`);
    }
    return 1;
  }

  async #attempt(args: readonly string[], isKilled: boolean): Promise<ProcessResult> {
    const settings = { DATABASE_URL: this.database.url, DATA_DIR: this.database.folder };
    const process = await BuiltProcess.start('cli.mjs', args, settings);
    this.written.commands += 1;
    const inTime = new AbortController();
    const killing = isKilled
      ? delay(this.random(KILL_WITHIN_MS), undefined, { signal: inTime.signal }).then(
          () => process.signal('SIGKILL'),
          () => undefined,
        )
      : Promise.resolve();
    const result = await process.ended;
    inTime.abort();
    await killing;
    if (result.status === null) this.written.kills += 1;
    return result;
  }
}
