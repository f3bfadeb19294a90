import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { present } from '../support/present.js';
import { ALL_DAYS, parseExport } from '../support/service/usage.js';
import { runDrill, NO_FAILURES, type Fault } from './support/drill.js';

const TIMEOUT_MS = 120_000;

/** Library of Debian's package `libfaketime`, on any architecture. */
const FAKETIME = readdirSync('/usr/lib')
  .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
  .find((path) => existsSync(path));

const HOUR_MS = 3_600_000;
/** Offsets of the clock from the real time, for faketime and in ms. */
const MOVES = [
  ['+1d', 24 * HOUR_MS],
  ['-1h', -HOUR_MS],
] as const;

describe.each(DIALECTS)('a service whose clock (%s)', (dialect) => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'creator-data-clock-'));
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
  }, TIMEOUT_MS);
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Settings that move the time of day but not the monotonic clock, as an operator does. */
  const settings = () => ({
    DATA_DIR: database.folder,
    LD_PRELOAD: present(FAKETIME),
    FAKETIME_TIMESTAMP_FILE: join(folder, 'moved'),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
  });
  const show = (moved: string) => writeFileSync(join(folder, 'moved'), `${moved}\n`);

  it.each(MOVES)(
    'is moved by %s and back: answers within 5 s, and bills every answer',
    async (moved, ahead) => {
      show('+0');
      const fault: Fault = {
        name: `clock moved by ${moved}, ${dialect}`,
        begin: () => show(moved),
        end: () => show('+0'),
        canStoreRecords: true,
      };
      expect(await runDrill({ url: database.url, settings: settings() }, fault)).toEqual(NO_FAILURES);
      const rows = parseExport((await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--json')).out);
      const apart = rows.map(({ occurred_at }) => Date.parse(occurred_at) - Date.now());
      expect(apart.some((ms) => Math.sign(ms) === Math.sign(ahead) && Math.abs(ms - ahead) < TIMEOUT_MS)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
