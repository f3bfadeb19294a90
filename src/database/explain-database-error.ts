import type { DatabaseLocation } from '../model/config.js';
import { CONNECTION_ERRORS } from '../model/connection-errors.js';
import { failedFile } from './sqlite/failed-file.js';
import { sqliteErrorCode } from './sqlite/sqlite-writer.js';

type Explanation = (databaseName: string) => string;

const accessDenied: Explanation = (name) =>
  `the user in DATABASE_URL lacks privileges in the database ${name}, or it does not exist: deploy/grants.sql lists the rights of the ` +
  "service's user, and those of the operator's, which commands need";
const isBusy: Explanation = (name) =>
  `another command is writing to the database ${name}: try again when it has finished`;
const refused: Explanation = (name) =>
  `the database ${name} rejects the user or password: correct DATABASE_URL or DATABASE_PASSWORD`;

/** Messages for the error codes of the database drivers. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ER_ACCESS_DENIED_ERROR: refused,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
  ER_DBACCESS_DENIED_ERROR: accessDenied,
  ER_TABLEACCESS_DENIED_ERROR: accessDenied,
  ER_SPECIFIC_ACCESS_DENIED_ERROR: accessDenied,
  ER_BAD_DB_ERROR: (name) => `the database ${name} does not exist: create it, or correct DATABASE_URL`,
  ER_LOCK_WAIT_TIMEOUT: isBusy,
  ER_LOCK_DEADLOCK: isBusy,
  ER_NET_PACKET_TOO_LARGE: (name) => `the statement is too long for the database ${name}: raise its max_allowed_packet`,
  SQLITE_BUSY: isBusy,
  SQLITE_NOTADB: (name) => `${name} is not an SQLite database: correct DATABASE_URL`,
  SQLITE_CORRUPT: (name) => `the database ${name} is damaged: restore a backup`,
  SQLITE_CANTOPEN: (name) =>
    `the database ${name} cannot be opened: check the path in DATABASE_URL, and its permissions`,
  SQLITE_READONLY: (name) => `the database ${name} cannot be written by this user: change its permissions`,
};

/** Explains an error of the database in one line: the problem and how to solve it. Returns null for other errors.
 * @param location the database; null: not known yet */
export function explainDatabaseError(error: unknown, location: DatabaseLocation | null): string | null {
  const causes = [...causesOf(error)];
  // The innermost error: an outer one may be of a transaction on the other file.
  const file = causes.map(failedFile).findLast((path) => path !== undefined);
  const name = file ?? (location === null ? 'of this service' : describeDatabase(location));
  for (const cause of causes) {
    const code = sqliteErrorCode(cause);
    const reason = CONNECTION_ERRORS[code];
    if (reason !== undefined)
      return `the database ${name} cannot be reached (${reason}): start it, or correct DATABASE_URL`;
    const explanation = EXPLANATIONS[code];
    if (explanation !== undefined) return explanation(name);
  }
  return null;
}

/** Describes a database without its user and password. */
export function describeDatabase(location: DatabaseLocation): string {
  if (location.dialect === 'sqlite') return location.path;
  const { hostname, port, pathname } = new URL(location.url);
  return `${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || '3306'}`;
}

/** Yields the error and its causes, outermost first; of an `AggregateError`, only the first error. */
export function* causesOf(error: unknown): Generator<object> {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as { cause?: unknown }).cause) {
    yield cause;
    if (cause instanceof AggregateError) {
      yield* causesOf(cause.errors[0]);
      return;
    }
  }
}
