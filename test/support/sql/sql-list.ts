import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../files/project-root.js';
import { recordSql } from './sql-recorder.mjs';

/** Committed list of the statements that the service and the commands send to MySQL. */
const LIST = join(ROOT, 'docs/sql.json');

/** Folder in which `npm run sql-list` collects the statements; undefined when they are checked against the list. */
const WRITES_TO = process.env.WRITE_SQL_LIST;

/** File with the statements that this test file has sent. */
const SENT = join(tmpdir(), `creator-data-test-sql-${randomBytes(8).toString('hex')}`);

const testsOwn = new AsyncLocalStorage<true>();
let isFileOfItsOwn = false;
/** False in drills, whose processes are measured. */
let isHeld = false;

/** Runs statements of the test itself on a connection of the service, without checking them. */
export const ownSql = <T>(work: () => T): T => testsOwn.run(true, work);

/** Exempts every statement of a test file from the check. */
export function ownSqlAlone(): void {
  isFileOfItsOwn = true;
}

/** Connections that tests open use the promise interface of the driver, which the service does not use. */
const isTests = (): boolean =>
  isFileOfItsOwn || testsOwn.getStore() === true || new Error('where').stack?.includes('/mysql2/lib/promise/') === true;

/** Returns settings with which a process also records its statements. */
export const recordingSettings = (databaseUrl = ''): Readonly<Record<string, string>> =>
  isHeld && databaseUrl.startsWith('mysql:')
    ? {
        RECORD_SQL: SENT,
        NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'test/support/sql/sql-recorder.mjs')).href}`,
      }
    : {};

export const listedSql = (): string[] => JSON.parse(readFileSync(LIST, 'utf8')) as string[];

/** Checks statements against the list. @throws Error that names the unlisted statements */
export function requireListed(sent: readonly string[]): void {
  const listed = new Set(listedSql());
  const unknown = [...new Set(sent)].filter((sql) => !listed.has(sql));
  if (unknown.length === 0) return;
  throw new Error(
    'docs/sql.json does not have what was sent; see whether docs/sql.md covers it, and renew the list with ' +
      `"npm run sql-list":\n${unknown.join('\n')}`,
  );
}

/** Starts checking statements against the list. @returns a function that stops, and throws if any is unlisted */
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
