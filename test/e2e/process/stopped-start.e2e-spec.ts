import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection } from 'mysql2/promise';
import { buildOnce } from '../../support/process/build.js';
import { ROOT } from '../../support/files/project-root.js';
import { runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { ProcessTree } from '../../support/process/process-tree.js';
import { until } from '../../support/until.js';

const ROUNDS = 8;
const ROUND_MS = 120;
const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child'];
const HAS_CONTAINER = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0;

describe.each(DIALECTS)('a start that is stopped (%s)', (dialect) => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  beforeAll(() => buildOnce());
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
    await runForJson(database, 'keys', 'create', '--name', 'x');
    settings = { DATABASE_URL: database.url, DATA_DIR: database.folder };
  });
  afterEach(() => database.drop());

  const start = (command: readonly string[] = ['node', 'dist/bundle/main.mjs']) =>
    ProcessTree.start(command, settings, ROOT);
  const filesOfOutages = () => readdirSync(database.folder).filter((name) => name.startsWith('usage-outage-'));

  it(`at ${ROUNDS} moments ends soon, and leaves neither a process nor a file behind`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tree = await start();
      await delay(round * ROUND_MS);
      tree.signal('SIGTERM');
      // Before anything is open, the signal itself ends it.
      expect([0, 'SIGTERM']).toContain(await tree.ended());
      expect([await tree.gone(), filesOfOutages()]).toEqual([true, []]);
    }
  });

  if (dialect === 'mysql') {
    describe('while the database keeps it waiting', () => {
      let connection: Connection;
      let tree: ProcessTree;
      beforeEach(async () => {
        connection = await createConnection({ uri: database.url });
        await connection.query('LOCK TABLES secrets WRITE, secrets AS waiting WRITE');
        tree = await start();
        await until('it waits for the table', isWaitedFor);
      });
      // Otherwise the database of a failed test cannot be dropped.
      afterEach(() => connection.destroy());

      const isWaitedFor = async () => {
        const waits = "db = DATABASE() AND state = 'Waiting for table metadata lock'";
        const [found] = await connection.query(`SELECT 1 FROM information_schema.processlist WHERE ${waits}`);
        return (found as unknown[]).length > 0;
      };

      it('ends as soon as it goes on', async () => {
        tree.signal('SIGTERM');
        await tree.printed('"stopping"');
        await connection.end();
        expect([await tree.ended(), await tree.gone(), filesOfOutages()]).toEqual([0, true, []]);
        expect([tree.out.includes('"stopped"'), tree.out.includes('"serving"')]).toEqual([true, false]);
      });

      it('ends after a while if it does not go on', async () => {
        tree.signal('SIGTERM');
        expect([await tree.ended(), await tree.gone()]).toEqual([0, true]);
      });
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
    );
  }
});
