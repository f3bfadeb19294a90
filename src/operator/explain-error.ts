import { CommanderError } from 'commander';
import { causesOf, explainDatabaseError } from '../database/explain-database-error.js';
import { sqliteErrorCode } from '../database/sqlite/sqlite-writer.js';
import { KeyNotFoundError } from './keys/api-keys.js';
import { MissingUsageError } from '../schema/embedded-file.js';
import { ConfigError, type DatabaseLocation } from '../model/config.js';
import { REJECTS_ENDING } from './input-files.js';
import { OperatorError, type CommandErrorCode } from './operator-error.js';

/** An error in the form in which commands report it. */
export interface ExplainedError {
  readonly code: CommandErrorCode;
  /** One line: the problem, then how to solve it. */
  readonly message: string;
}

/** Properties that drivers and the operating system add to an error. */
interface Details {
  readonly path?: unknown;
}

type Explanation = (details: Details) => ExplainedError;

const pathIn = ({ path }: Details): string => (typeof path === 'string' ? path : 'a file');

const file = (message: (path: string) => string): Explanation => {
  return (details) => ({ code: 'invalid_file', message: message(pathIn(details)) });
};

const isFull: Explanation = () => ({
  code: 'unavailable',
  message: 'the disk is full: free some space, then run the same command again',
});

/** Messages for the error codes of files and disks. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ENOENT: file((path) => `${path} does not exist: check the spelling and the folder`),
  EISDIR: file((path) => `${path} is a folder: name a file`),
  ENOTDIR: file((path) => `${path}: part of this path is a file, not a folder: check the spelling`),
  EEXIST: file((path) => `${path} exists and is not a folder: choose another name`),
  EACCES: file(
    (path) =>
      `${path} cannot be read or written by this user: ` +
      (path.endsWith(REJECTS_ENDING)
        ? 'name another file with --rejects'
        : 'change its permissions, or run as another user'),
  ),
  EPERM: file((path) => `${path} cannot be changed by this user: change its permissions, or run as another user`),
  EROFS: file((path) => `${path} is on a read-only file system: choose another location`),
  ENOSPC: isFull,
  SQLITE_FULL: isFull,
};

/** Explains an error in one line: the problem and how to solve it. @param location the database; null: not known yet */
export function explainError(error: unknown, location: DatabaseLocation | null): ExplainedError {
  if (error instanceof OperatorError) return { code: error.code, message: error.message };
  if (error instanceof KeyNotFoundError || error instanceof MissingUsageError)
    return { code: 'not_found', message: error.message };
  if (error instanceof ConfigError) return { code: 'invalid_setting', message: error.message };
  if (error instanceof CommanderError) {
    return { code: 'invalid_arguments', message: joinLines(error.message.replace(/^error: (command-argument )?/, '')) };
  }
  for (const cause of causesOf(error)) {
    const explanation = EXPLANATIONS[sqliteErrorCode(cause)];
    if (explanation !== undefined) return explanation(cause);
  }
  const message = explainDatabaseError(error, location);
  if (message !== null) return { code: 'unavailable', message };
  return { code: 'failed', message: firstLine(error) };
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
