import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/model/config.js';
import { openDatabase } from '../../src/schema/open-database.js';
import { aContent } from '../support/records/builders.js';
import { runForJson, withoutProgress } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { BuiltProcess, runBuiltCommand } from '../support/process/processes.js';
import { TcpProxy } from '../support/stores/tcp-proxy.js';
import { runDrill, NO_FAILURES, report, type Fault } from './support/drill.js';

const TIMEOUT_MS = 240_000;
const RECORDS = 40_000;
const KILLS = 6;

/** Time in which an import of this many records has stored some of them, but not all. */
const MOMENTS_MS = [700, 1300] as const;

const TABLES = { content: ['platform', 'content_id'], game_content: ['platform', 'game_id', 'content_id'] } as const;

describe.each(DIALECTS)('an import that is interrupted (%s)', (dialect) => {
  let clean: TestDatabase;
  let database: TestDatabase;
  let file: string;
  let expected: Awaited<ReturnType<typeof contentsOf>>;
  beforeAll(async () => {
    clean = await createTestDatabase(dialect);
    database = await createTestDatabase(dialect);
    file = join(clean.folder, 'content.ndjson');
    await writeContent(file);
    for (const { url } of [clean, database]) await runForJson({ url }, 'migrate');
    await importInto(clean);
    expected = await contentsOf(clean);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await clean.drop();
    await database.drop();
  });

  const importInto = ({ url }: { readonly url: string }) =>
    runBuiltCommand(['import', 'content', file], { DATABASE_URL: url });

  /** Starts an import and stops it at a random moment. @returns its exit */
  async function interrupt(url: string, end: (process: BuiltProcess) => Promise<void> | void) {
    const started = await BuiltProcess.start('cli.mjs', ['import', 'content', file], { DATABASE_URL: url });
    const [earliest, latest] = MOMENTS_MS;
    await delay(earliest + Math.random() * (latest - earliest));
    await end(started);
    return started.ended;
  }

  it(
    `killed ${KILLS} times under load, disturbs no request, and completes like an undisturbed one when run again`,
    async () => {
      let work: Promise<unknown> = Promise.resolve();
      const fault: Fault = {
        name: `import killed ${KILLS} times, ${dialect}`,
        begin: () => {
          work = (async () => {
            for (let nth = 0; nth < KILLS; nth += 1)
              await interrupt(database.url, (process) => process.signal(nth % 3 === 2 ? 'SIGTERM' : 'SIGKILL'));
          })();
        },
        end: async () => void (await work),
        canStoreRecords: true,
      };
      expect(await runDrill({ url: database.url, settings: { DATA_DIR: database.folder } }, fault)).toEqual(
        NO_FAILURES,
      );
      expect((await importInto(database)).status).toBe(0);
      expect(expected.rows).toEqual({ content: RECORDS, game_content: RECORDS });
      expect(await contentsOf(database)).toEqual(expected);
    },
    TIMEOUT_MS,
  );

  // Only a server can be disconnected.
  if (dialect === 'mysql') {
    it(
      'by an outage of the server, fails with the reason and how to resume, and completes like an undisturbed one when run again',
      async () => {
        const proxy = await TcpProxy.to(database.url, 3306);
        try {
          const { status, err } = await interrupt(proxy.urlOf(database.url), () => proxy.cut());
          const [reason, ...notes] = withoutProgress(err).trim().split('\n').toReversed();
          expect([status, reason]).toEqual([1, expect.stringMatching(/cannot be reached/)]);
          // There is nothing to resume if the first batch was not stored.
          expect(notes.filter((line) => !/^The audit log has no entry|--resume/.test(line))).toEqual([]);
        } finally {
          await proxy.close();
        }
        expect((await importInto(database)).status).toBe(0);
        expect(await contentsOf(database)).toEqual(expected);
        report({ drill: 'import, MariaDB cut off', lost: 0, doubled: 0 });
      },
      TIMEOUT_MS,
    );
  }
});

/** Creates items in no order, each with some games. */
async function writeContent(file: string): Promise<void> {
  const out = createWriteStream(file);
  for (let nth = 0; nth < RECORDS; nth += 1) {
    const id = String((nth * 7919) % RECORDS);
    const categories = [
      {
        id: String(nth % 50),
        type: 'live_platform_game',
        name: null,
        gamedb_id: null,
        gamedb_name: null,
        gamedb_slug: null,
      },
    ] as const;
    const item = aContent({ content_id: id, profile_id: String(nth % 97), categories: [...categories] });
    if (!out.write(`${JSON.stringify(item)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

/** Reads the tables that an import of content writes. */
async function contentsOf({ url }: TestDatabase) {
  const database = await openDatabase(readConfig({ DATABASE_URL: url }).database);
  try {
    const rows: Record<string, number> = {};
    const digest = createHash('sha256');
    for (const [table, key] of Object.entries(TABLES)) {
      const all: object[] = await database.dataSource.query(`SELECT * FROM ${table} ORDER BY ${key.join(', ')}`);
      rows[table] = all.length;
      // An interrupted import stores the same records in other transactions.
      for (const row of all) digest.update(JSON.stringify({ ...row, revision: null, changed_at: null }));
    }
    return { rows, digest: digest.digest('hex') };
  } finally {
    await database.close();
  }
}
