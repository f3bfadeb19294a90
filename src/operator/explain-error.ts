import { CommanderError } from 'commander';
import { sqliteCodeOf } from '../database/sqlite/sqlite-writer.js';
import { NoSuchKeyError } from './keys/api-keys.js';
import { ConfigError, type DatabaseLocation } from '../model/config.js';
import { OperatorError, type ErrorCode } from './operator-error.js';

/** A failure as a command reports it. */
export interface Explained {
  readonly code: ErrorCode;
  /** One line. */
  readonly message: string;
}

/** What drivers and the system tell of an error beside its message. */
interface Details {
  readonly code?: unknown;
  readonly path?: unknown;
}

type Explanation = (where: string, details: Details) => Explained;

const about = ({ path }: Details): string => (typeof path === 'string' ? path : 'a file');

const unreachable = (why: string): Explanation => {
  return (where) => ({
    code: 'unavailable',
    message: `the database ${where} cannot be reached (${why}): start it, or correct DATABASE_URL`,
  });
};

const file = (message: (path: string) => string): Explanation => {
  return (_, details) => ({ code: 'invalid_file', message: message(about(details)) });
};

const database = (message: (where: string) => string): Explanation => {
  return (where) => ({ code: 'unavailable', message: message(where) });
};

const noRights = database(
  (where) => `the user in DATABASE_URL lacks rights in the database ${where}: deploy/grants.sql lists what it needs`,
);
const isBusy = database((where) => `another command is writing to the database ${where}: try again when it is done`);
const isFull = database(() => 'the disk is full: make room and run the same command again');
const refused = database((where) => `the database ${where} refuses the user or password: correct DATABASE_URL`);
const missing = database((where) => `the database ${where} does not exist there: create it, or correct DATABASE_URL`);

/** In people's words, what the codes of system and drivers mean. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: file((path) => `${path} does not exist: check the spelling and the folder`),
  EISDIR: file((path) => `${path} is a folder: name a file`),
  ENOTDIR: file((path) => `${path}: a part of this path is a file, not a folder: check the spelling`),
  EEXIST: file((path) => `${path} is there already, and is no folder: name another one`),
  EACCES: file((path) => `${path} may not be read or written by this user: change its rights, or run as another user`),
  EPERM: file((path) => `${path} may not be changed by this user: change its rights, or run as another user`),
  EROFS: file((path) => `${path} is on a disk that is read-only: name another place`),
  ENOSPC: isFull,
  ECONNREFUSED: unreachable('nothing listens there'),
  ECONNRESET: unreachable('the connection was cut'),
  PROTOCOL_CONNECTION_LOST: unreachable('the connection was cut'),
  ETIMEDOUT: unreachable('no answer in time'),
  EHOSTUNREACH: unreachable('no way to the host'),
  ENETUNREACH: unreachable('no way to the host'),
  ENOTFOUND: unreachable('the host name is unknown'),
  EAI_AGAIN: unreachable('the host name cannot be looked up'),
  ER_ACCESS_DENIED_ERROR: refused,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
  ER_DBACCESS_DENIED_ERROR: noRights,
  ER_TABLEACCESS_DENIED_ERROR: noRights,
  ER_SPECIFIC_ACCESS_DENIED_ERROR: noRights,
  ER_BAD_DB_ERROR: missing,
  ER_LOCK_WAIT_TIMEOUT: isBusy,
  ER_LOCK_DEADLOCK: isBusy,
  ER_NET_PACKET_TOO_LARGE: database(
    (where) => `the database ${where} takes no statement of this length: raise its max_allowed_packet`,
  ),
  SQLITE_BUSY: isBusy,
  SQLITE_FULL: isFull,
  SQLITE_NOTADB: database((where) => `${where} is a file, but no database of this service: correct DATABASE_URL`),
  SQLITE_CORRUPT: database((where) => `the database ${where} is damaged: restore a backup`),
  SQLITE_CANTOPEN: database((where) => `the database ${where} cannot be opened: check path and rights in DATABASE_URL`),
  SQLITE_READONLY: database((where) => `the database ${where} may not be written by this user: change its rights`),
};

/** Says in one line what went wrong and what to do next. @param location where the command looked; null: not known yet */
export function explain(error: unknown, location: DatabaseLocation | null): Explained {
  if (error instanceof OperatorError) return { code: error.code, message: error.message };
  if (error instanceof NoSuchKeyError) return { code: 'not_found', message: error.message };
  if (error instanceof ConfigError) return { code: 'invalid_setting', message: error.message };
  if (error instanceof CommanderError) {
    return { code: 'invalid_arguments', message: oneLine(error.message.replace(/^error: (command-argument )?/, '')) };
  }
  for (const cause of causesOf(error)) {
    const explanation = EXPLANATIONS[sqliteCodeOf(cause)];
    if (explanation !== undefined) return explanation(location === null ? 'of this service' : whereIs(location), cause);
  }
  return { code: 'failed', message: firstLine(error) };
}

/** The database without user and password. */
export function whereIs(location: DatabaseLocation): string {
  if (location.dialect === 'sqlite') return location.path;
  const { hostname, port, pathname } = new URL(location.url);
  return `${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || '3306'}`;
}

/** The error and what caused it, outermost first; of several at once, such as two addresses of a host, the first. */
function* causesOf(error: unknown): Generator<Details> {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as { cause?: unknown }).cause) {
    yield each;
    if (each instanceof AggregateError) {
      yield* causesOf(each.errors[0]);
      return;
    }
  }
}

const oneLine = (text: string): string =>
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
