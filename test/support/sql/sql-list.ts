import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../files/project-root.js';
import { recordSql } from './sql-recorder.mjs';

/** Committed list of the statements that the service and the commands send to MySQL. */
const LIST_FILE = join(ROOT, 'docs/sql.json');

/** Folder in which `npm run sql-list` collects the statements; undefined when they are checked against the list. */
const COLLECT_FOLDER = process.env.WRITE_SQL_LIST;

/** File with the statements that this test file has sent. */
const SENT_FILE = join(tmpdir(), `creator-data-test-sql-${randomBytes(8).toString('hex')}`);

const uncheckedWork = new AsyncLocalStorage<true>();
let isFileUnchecked = false;
/** False in drills, whose processes are measured. */
let isChecking = false;

/** Runs statements of the test itself on a connection of the service, without checking them. */
export const withoutSqlCheck = <T>(work: () => T): T => uncheckedWork.run(true, work);

/** Exempts every statement of a test file from the check. */
export function skipSqlCheck(): void {
  isFileUnchecked = true;
}

/** Connections that tests open use the promise interface of the driver, which the service does not use. */
const isUnchecked = (): boolean =>
  isFileUnchecked ||
  uncheckedWork.getStore() === true ||
  new Error('where').stack?.includes('/mysql2/lib/promise/') === true;

/** Returns settings with which a process also records its statements. */
export const recordingSettings = (databaseUrl = ''): Readonly<Record<string, string>> =>
  isChecking && databaseUrl.startsWith('mysql:')
    ? {
        RECORD_SQL: SENT_FILE,
        NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, 'test/support/sql/sql-recorder.mjs')).href}`,
      }
    : {};

export const listedSql = (): string[] => JSON.parse(readFileSync(LIST_FILE, 'utf8')) as string[];

/** Checks statements against the list. @throws Error that names the unlisted statements */
export function assertListed(sent: readonly string[]): void {
  const listed = new Set(listedSql());
  const unknown = [...new Set(sent)].filter((sql) => !listed.has(sql));
  if (unknown.length === 0) return;
  throw new Error(
    'docs/sql.json does not have what was sent; see whether docs/sql.md covers it, and renew the list with ' +
      `"npm run sql-list":\n${unknown.join('\n')}`,
  );
}

/** Starts checking statements against the list. @returns a function that stops, and throws if any is unlisted */
export function startSqlCheck(): () => void {
  isChecking = true;
  const end = recordSql(SENT_FILE, isUnchecked);
  return () => {
    end();
    if (!existsSync(SENT_FILE)) return;
    const sent = readFileSync(SENT_FILE, 'utf8').trimEnd().split('\n');
    if (COLLECT_FOLDER !== undefined) copyFileSync(SENT_FILE, join(COLLECT_FOLDER, basename(SENT_FILE)));
    rmSync(SENT_FILE);
    if (COLLECT_FOLDER === undefined) assertListed(sent);
  };
}
