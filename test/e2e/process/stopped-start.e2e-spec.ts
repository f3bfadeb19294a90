import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { buildOnce } from '../../support/process/build.js';
import { ROOT } from '../../support/files/project-root.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { ProcessTree } from '../../support/process/process-tree.js';

const TIMEOUT_MS = 60_000;
const BUILD_WITHIN_MS = 120_000;
const ROUNDS = 8;
const ROUND_MS = 120;
const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child'];
const HAS_CONTAINER = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0;

describe.each(DIALECTS)('a start that is stopped (%s)', (dialect) => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  beforeAll(() => buildOnce(), BUILD_WITHIN_MS);
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
    await runForJson(database, 'keys', 'create', '--name', 'x');
    settings = { DATABASE_URL: database.url, DATA_DIR: database.folder };
  }, TIMEOUT_MS);
  afterEach(() => database.drop());

  const start = (command: readonly string[] = ['node', 'dist/bundle/main.mjs']) =>
    ProcessTree.start(command, settings, ROOT);
  const filesOfOutages = () => readdirSync(database.folder).filter((name) => name.startsWith('usage-outage-'));

  it(
    `at ${ROUNDS} moments ends soon, and leaves neither a process nor a file behind`,
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tree = await start();
        await delay(round * ROUND_MS);
        tree.signal('SIGTERM');
        // Before anything is open, the signal itself ends it.
        expect([0, 'SIGTERM']).toContain(await tree.ended());
        expect([await tree.gone(), filesOfOutages()]).toEqual([true, []]);
      }
    },
    TIMEOUT_MS,
  );

  if (dialect === 'mysql') {
    describe('while the database keeps it waiting', () => {
      const locked = async () => {
        const connection = await createConnection({ uri: database.url });
        await connection.query('LOCK TABLES secrets WRITE, secrets AS waiting WRITE');
        return connection;
      };
      const waiting = async () => {
        const tree = await start();
        await delay(2000);
        return tree;
      };

      it(
        'ends as soon as it goes on',
        async () => {
          const connection = await locked();
          const tree = await waiting();
          tree.signal('SIGTERM');
          await tree.printed('"stopping"');
          await connection.end();
          expect([await tree.ended(), await tree.gone(), filesOfOutages()]).toEqual([0, true, []]);
          expect([tree.out.includes('"stopped"'), tree.out.includes('"serving"')]).toEqual([true, false]);
        },
        TIMEOUT_MS,
      );

      it(
        'ends after a while if it does not go on',
        async () => {
          const connection = await locked();
          const tree = await waiting();
          tree.signal('SIGTERM');
          expect([await tree.ended(), await tree.gone()]).toEqual([0, true]);
          await connection.end();
        },
        TIMEOUT_MS,
      );
    });
  }

  if (HAS_CONTAINER) {
    it.each([['main.mjs'], ['first-start.mjs']])(
      'ends before it serves as the first process of a container, too: %s',
      async (file) => {
        const program = file === 'main.mjs' ? `dist/bundle/${file}` : `scripts/${file}`;
        const tree = await start([...CONTAINER, 'node', program]);
        // Node needs some time until it can listen for any; the kernel drops what comes before.
        const timer = setInterval(() => {
          const [, ...inside] = tree.pids();
          spawnSync('kill', ['-TERM', ...inside.map(String)]);
        }, 50);
        await tree.gone();
        clearInterval(timer);
        expect(tree.out).not.toContain('"serving"');
      },
      TIMEOUT_MS,
    );
  }
});
