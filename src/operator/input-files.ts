import { access, constants, stat } from 'node:fs/promises';
import { Option } from 'commander';
import { parseMegabytes } from './arguments.js';
import { RejectsFile, RejectsLimit, type RejectsMark } from './import/rejects-file.js';
import { OperatorError } from './operator-error.js';
import { formatCount } from '../model/counts.js';
import type { OutputFile } from './overwrite-guard.js';

/** A file to read, and the file for its rejects. */
export interface InputFile {
  readonly file: string;
  /** Null in a dry run: rejects are not written. */
  readonly rejects: RejectsFile | null;
  /** Whether several inputs share the rejects file: each reject then names its input. */
  readonly sharesRejects: boolean;
  /** Whether the rejects file has the rejects of an interrupted command. */
  readonly continuesRejects: boolean;
}

/** The options `--rejects` and `--max-rejects`. */
export interface RejectsOptions {
  /** One file for all inputs. */
  readonly rejects?: string;
  /** Megabytes, for all rejects files together. */
  readonly maxRejects: number;
}

interface InputOptions extends RejectsOptions {
  readonly dryRun?: boolean;
}

const DEFAULT_MAX_REJECTS = 100;
const BYTES_PER_MB = 1_000_000;

/** Creates the option `--rejects FILE`. @param what `lines` or `documents` */
export const rejectsOption = (what: string): Option =>
  new Option('--rejects <file>', `write bad ${what} to this file, instead of FILE.rejected.ndjson`);

/** Creates the option `--max-rejects MB`. @param what `lines` or `documents` */
export const maxRejectsOption = (what: string): Option =>
  new Option('--max-rejects <MB>', `write at most this many megabytes of bad ${what}; further ones are only counted`)
    .argParser(parseMegabytes)
    .default(DEFAULT_MAX_REJECTS);

/** Creates the option `--metrics FILE`. @param example name of a file */
export const metricsOption = (example: string): Option =>
  new Option(
    '--metrics <file>',
    `write progress for the text collector of Prometheus to this file, such as ${example}`,
  );

/** Formats the number of rejects that were not written; empty if all were. */
export const formatOmitted = (omitted: number, { maxRejects }: RejectsOptions): string =>
  omitted === 0 ? '' : `${formatCount(omitted)} of them not written, because --max-rejects is ${maxRejects} MB`;

/** Checks that all inputs can be read, so that a typo in the last name does not surface after hours. */
export async function requireReadableFiles(files: readonly string[]): Promise<void> {
  for (const file of files) if (file !== '-') await requireFile(file);
}

async function requireFile(file: string): Promise<void> {
  await access(file, constants.R_OK);
  if (!(await stat(file)).isDirectory()) return;
  throw new OperatorError('invalid_file', `${file} is a folder: name the files in it, such as ${file}/*.ndjson`);
}

/** Lists the files for rejects that a command may write. */
export function listRejectsFiles(files: readonly string[], { rejects, dryRun = false }: InputOptions): OutputFile[] {
  const paths = rejects === undefined ? (dryRun ? [] : files.map(ownRejectsPath)) : [rejects];
  return paths.map((path) => ({ path, option: '--rejects' }));
}

/** End of the name of the file for bad lines, unless `--rejects` names another. */
export const REJECTS_ENDING = '.rejected.ndjson';

/** Returns the default path for the rejects of an input. */
const ownRejectsPath = (file: string): string => `${file === '-' ? 'stdin' : file}${REJECTS_ENDING}`;

/** Prepares the inputs of a command, and removes old rejects files. Check `listRejectsFiles` before.
 * @param marks for each input, where to continue its rejects file; null: it is removed */
export async function prepareInputs(
  files: readonly string[],
  options: InputOptions,
  marks: readonly (RejectsMark | null)[] = [],
): Promise<InputFile[]> {
  const { rejects: sharedPath, maxRejects, dryRun = false } = options;
  const limit = new RejectsLimit(maxRejects * BYTES_PER_MB);
  const shared = sharedPath === undefined ? null : new RejectsFile(sharedPath, limit);
  const createOwn = (file: string) => (dryRun ? null : new RejectsFile(ownRejectsPath(file), limit));
  const rejectsFiles = files.map((file) => shared ?? createOwn(file));
  const continued = new Set<RejectsFile | null>();
  for (const rejects of new Set(rejectsFiles)) {
    // Inputs are read in order, so the last mark is the end of a shared file.
    const mark = marks.findLast((each, index) => each !== null && rejectsFiles[index] === rejects) ?? null;
    if (mark !== null && (await rejects?.rewind(mark))) continued.add(rejects);
    else await rejects?.clear();
  }
  return files.map((file, index) => ({
    file,
    rejects: rejectsFiles[index] ?? null,
    sharesRejects: shared !== null && files.length > 1,
    continuesRejects: continued.has(rejectsFiles[index] ?? null),
  }));
}
