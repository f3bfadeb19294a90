import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../files/project-root.js';
import { recordSql } from './sql-recorder.mjs';

/** What the service and the operator's commands send to MySQL, as committed. */
const LIST = join(ROOT, 'docs/sql.json');

/** `npm run sql-list` collects here what is sent, instead of holding it against the list. */
const WRITES_TO = process.env.WRITE_SQL_LIST;

/** What this test file has sent. */
const SENT = join(tmpdir(), `creator-data-test-sql-${randomBytes(8).toString('hex')}`);

const testsOwn = new AsyncLocalStorage<true>();
let isFileOfItsOwn = false;
/** Drills are not held: their processes are measured. */
let isHeld = false;

/** Runs what a test sends itself, on a connection of the service: it is not part of the list. */
export const ownSql = <T>(work: () => T): T => testsOwn.run(true, work);

/** For a file whose tests say what is written: nothing it sends is part of the list. */
export function ownSqlAlone(): void {
  isFileOfItsOwn = true;
}

/** Connections that tests open themselves are of the driver's other interface, which the service does not use. */
const isTests = (): boolean =>
  isFileOfItsOwn || testsOwn.getStore() === true || new Error('where').stack?.includes('/mysql2/lib/promise/') === true;

/** Settings with which a process writes down what it sends, too. */
export const recordingSettings = (databaseUrl = ''): Readonly<Record<string, string>> =>
  isHeld && databaseUrl.startsWith('mysql:')
    ? {
        RECORD_SQL: SENT,
        NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'test/support/sql/sql-recorder.mjs')).href}`,
      }
    : {};

export const listedSql = (): string[] => JSON.parse(readFileSync(LIST, 'utf8')) as string[];

/** @throws Error that shows what is sent and not listed */
export function requireListed(sent: readonly string[]): void {
  const listed = new Set(listedSql());
  const unknown = [...new Set(sent)].filter((sql) => !listed.has(sql));
  if (unknown.length === 0) return;
  throw new Error(
    'docs/sql.json does not have what was sent; see whether docs/sql.md covers it, and renew the list with ' +
      `"npm run sql-list":\n${unknown.join('\n')}`,
  );
}

/** Holds what is sent from now on against the list. @returns ends it, and throws if the list lacks anything */
export function holdSql(): () => void {
  isHeld = true;
  const end = recordSql(SENT, isTests);
  return () => {
    end();
    if (!existsSync(SENT)) return;
    const sent = readFileSync(SENT, 'utf8').trimEnd().split('\n');
    if (WRITES_TO !== undefined) copyFileSync(SENT, join(WRITES_TO, basename(SENT)));
    rmSync(SENT);
    if (WRITES_TO === undefined) requireListed(sent);
  };
}
