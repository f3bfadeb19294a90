import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../../src/database/database.js';
import { FEED_KINDS, type FeedKind } from '../../../src/features/changes/feeds.js';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { purge } from '../../../src/operator/import/purge.js';
import { runInProcess } from '../service/command.js';
import type { TestService } from '../service/test-service.js';
import { feedPath, Mirror } from './mirror.js';
import { anId, aRecord, aResponse, P, randomNumbers, type Random } from './random-records.js';

/** Creators, few enough that writers change the same ones all the time. */
const CREATORS = 40;

const WRITERS = 3;

/** Writes random changes. @returns the number of records and commands */
async function write(service: TestService, operations: number, random: Random, ingests: boolean): Promise<number> {
  const { database } = service;
  let done = 0;
  while (done < operations) {
    const choice = random(100);
    if (choice < 84) {
      const kind = FEED_KINDS[random(FEED_KINDS.length)] ?? 'profiles';
      const lines = Array.from({ length: 1 + random(20) }, () => JSON.stringify(aRecord(kind, random, CREATORS)));
      // Records about forgotten creators are rejected.
      await service.loadLines(kind, lines);
      done += lines.length;
      continue;
    }
    if (choice < 90) await removing(() => forgetCreator(database, P, anId(random, CREATORS), Date.now()));
    else if (choice < 97) await undoForget(database, P, anId(random, CREATORS));
    else if (ingests) await ingestProfiles(service, random);
    else await removing(() => purge(database, [P], Date.now() - random(2) * 86_400_000, false));
    done += 1;
  }
  return done;
}

/** Runs a command that deletes. The embedded database cannot erase deleted rows from its log while others read it: the command then
 * fails after its last transaction, and asks to be run again. */
async function removing(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) || !error.message.includes('is using the log')) throw error;
  }
}

/** Ingests profiles, which only then can be purged. */
async function ingestProfiles({ testDatabase }: TestService, random: Random): Promise<void> {
  const file = join(testDatabase.folder, `ingest-${random(1e9)}.ndjson`);
  const document = aResponse(random, CREATORS, 10, Date.now());
  writeFileSync(file, `${JSON.stringify(document)}\n`);
  const { status, err } = await runInProcess(testDatabase, 'ingest', 'twitch', file);
  // 2: it rejected lines about forgotten creators.
  if (status !== 0 && status !== 2) throw new Error(err);
}

/** Result of a drill. */
export interface DrillResult {
  /** Mirrors that followed during the writes, and then to the end, by kind. */
  readonly mirrors: ReadonlyMap<FeedKind, Mirror>;
  readonly operations: number;
  /** Pages that the mirrors read while the writers wrote. */
  readonly pages: number;
}

/** Follows the feeds of all kinds while three writers with their own connections import, forget, undo, ingest and purge. */
export async function runMirrorDrill(service: TestService, operations: number, seed: number): Promise<DrillResult> {
  const others = [await service.startSecond(), await service.startSecond()];
  const mirrors = new Map(FEED_KINDS.map((kind) => [kind, new Mirror(feedPath(kind))]));
  let isWriting = true;
  let pages = 0;
  const random = randomNumbers(seed);
  const following = (async () => {
    while (isWriting) {
      for (const mirror of mirrors.values()) {
        // Small pages, so that positions inside a revision occur.
        await mirror.readPage(service, 1 + random(8));
        pages += 1;
      }
    }
  })();
  const writers = [service, ...others].map((writer, index) =>
    write(writer, Math.ceil(operations / WRITERS), randomNumbers(seed + 1 + index), index === 0),
  );
  try {
    const done = await Promise.all(writers);
    isWriting = false;
    await following;
    for (const mirror of mirrors.values()) await mirror.follow(service);
    return { mirrors, operations: done.reduce((sum, count) => sum + count, 0), pages };
  } finally {
    isWriting = false;
    await Promise.allSettled([...writers, following]);
    for (const other of others) await other.stop();
  }
}
