import { CommanderError } from 'commander';
import { sqliteErrorCode } from '../database/sqlite/sqlite-writer.js';
import { KeyNotFoundError } from './keys/api-keys.js';
import { ConfigError, type DatabaseLocation } from '../model/config.js';
import { OperatorError, type ErrorCode } from './operator-error.js';

/** An error in the form in which commands report it. */
export interface ExplainedError {
  readonly code: ErrorCode;
  /** One line: the problem, then how to solve it. */
  readonly message: string;
}

/** Properties that drivers and the operating system add to an error. */
interface Details {
  readonly code?: unknown;
  readonly path?: unknown;
}

type Explanation = (databaseName: string, details: Details) => ExplainedError;

const pathIn = ({ path }: Details): string => (typeof path === 'string' ? path : 'a file');

const unreachable = (reason: string): Explanation => {
  return (name) => ({
    code: 'unavailable',
    message: `the database ${name} cannot be reached (${reason}): start it, or correct DATABASE_URL`,
  });
};

const file = (message: (path: string) => string): Explanation => {
  return (_, details) => ({ code: 'invalid_file', message: message(pathIn(details)) });
};

const database = (message: (name: string) => string): Explanation => {
  return (name) => ({ code: 'unavailable', message: message(name) });
};

const accessDenied = database(
  (name) =>
    `the user in DATABASE_URL lacks privileges in the database ${name}: deploy/grants.sql lists the required ones`,
);
const isBusy = database((name) => `another command is writing to the database ${name}: try again when it has finished`);
const isFull = database(() => 'the disk is full: free some space, then run the same command again');
const refused = database((name) => `the database ${name} rejects the user or password: correct DATABASE_URL`);
const missing = database((name) => `the database ${name} does not exist: create it, or correct DATABASE_URL`);

/** Messages for the error codes of the operating system and the database drivers. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: file((path) => `${path} does not exist: check the spelling and the folder`),
  EISDIR: file((path) => `${path} is a folder: name a file`),
  ENOTDIR: file((path) => `${path}: part of this path is a file, not a folder: check the spelling`),
  EEXIST: file((path) => `${path} exists and is not a folder: choose another name`),
  EACCES: file(
    (path) => `${path} cannot be read or written by this user: change its permissions, or run as another user`,
  ),
  EPERM: file((path) => `${path} cannot be changed by this user: change its permissions, or run as another user`),
  EROFS: file((path) => `${path} is on a read-only file system: choose another location`),
  ENOSPC: isFull,
  ECONNREFUSED: unreachable('nothing listens there'),
  ECONNRESET: unreachable('the connection was cut'),
  PROTOCOL_CONNECTION_LOST: unreachable('the connection was cut'),
  ETIMEDOUT: unreachable('timed out'),
  EHOSTUNREACH: unreachable('no route to the host'),
  ENETUNREACH: unreachable('no route to the network'),
  ENOTFOUND: unreachable('the host name is unknown'),
  EAI_AGAIN: unreachable('the host name cannot be resolved'),
  ER_ACCESS_DENIED_ERROR: refused,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
  ER_DBACCESS_DENIED_ERROR: accessDenied,
  ER_TABLEACCESS_DENIED_ERROR: accessDenied,
  ER_SPECIFIC_ACCESS_DENIED_ERROR: accessDenied,
  ER_BAD_DB_ERROR: missing,
  ER_LOCK_WAIT_TIMEOUT: isBusy,
  ER_LOCK_DEADLOCK: isBusy,
  ER_NET_PACKET_TOO_LARGE: database(
    (name) => `the statement is too long for the database ${name}: raise its max_allowed_packet`,
  ),
  SQLITE_BUSY: isBusy,
  SQLITE_FULL: isFull,
  SQLITE_NOTADB: database((name) => `${name} is not an SQLite database: correct DATABASE_URL`),
  SQLITE_CORRUPT: database((name) => `the database ${name} is damaged: restore a backup`),
  SQLITE_CANTOPEN: database(
    (name) => `the database ${name} cannot be opened: check the path in DATABASE_URL, and its permissions`,
  ),
  SQLITE_READONLY: database((name) => `the database ${name} cannot be written by this user: change its permissions`),
};

/** Explains an error in one line: the problem and how to solve it. @param location the database; null: not known yet */
export function explainError(error: unknown, location: DatabaseLocation | null): ExplainedError {
  if (error instanceof OperatorError) return { code: error.code, message: error.message };
  if (error instanceof KeyNotFoundError) return { code: 'not_found', message: error.message };
  if (error instanceof ConfigError) return { code: 'invalid_setting', message: error.message };
  if (error instanceof CommanderError) {
    return { code: 'invalid_arguments', message: joinLines(error.message.replace(/^error: (command-argument )?/, '')) };
  }
  for (const cause of causesOf(error)) {
    const explanation = EXPLANATIONS[sqliteErrorCode(cause)];
    if (explanation !== undefined)
      return explanation(location === null ? 'of this service' : describeDatabase(location), cause);
  }
  return { code: 'failed', message: firstLine(error) };
}

/** Describes a database without its user and password. */
export function describeDatabase(location: DatabaseLocation): string {
  if (location.dialect === 'sqlite') return location.path;
  const { hostname, port, pathname } = new URL(location.url);
  return `${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || '3306'}`;
}

/** Yields the error and its causes, outermost first; of an `AggregateError`, only the first error. */
function* causesOf(error: unknown): Generator<Details> {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as { cause?: unknown }).cause) {
    yield cause;
    if (cause instanceof AggregateError) {
      yield* causesOf(cause.errors[0]);
      return;
    }
  }
}

const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

function firstLine(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(firstLine).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? message;
}
