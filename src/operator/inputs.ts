import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { megabytes } from './arguments.js';
import { identityOf } from './file-identity.js';
import { RejectsFile, RejectsLimit } from './import/rejects-file.js';
import { OperatorError } from './operator-error.js';

/** A file to read, and where what is bad in it goes. */
export interface InputArgument {
  readonly file: string;
  /** Null: nowhere, as in a dry run. */
  readonly rejects: RejectsFile | null;
  /** Several inputs have it: each bad line says which is its own. */
  readonly isShared: boolean;
}

/** What a command line says of rejects. */
export interface RejectsOptions {
  /** One file for all inputs. */
  readonly rejects?: string;
  /** In megabytes, for all files together. */
  readonly maxRejects: number;
}

interface InputOptions extends RejectsOptions {
  readonly dryRun?: boolean;
}

const DEFAULT_MAX_REJECTS = 100;
const BYTES_OF_MB = 1_000_000;

/** `--rejects FILE`. @param what is rejected: `lines`, `documents` */
export const rejectsOption = (what: string): Option =>
  new Option('--rejects <file>', `where bad ${what} go, instead of FILE.rejected.ndjson`);

/** `--max-rejects MB`. */
export const maxRejectsOption = (what: string): Option =>
  new Option('--max-rejects <MB>', `how many megabytes of bad ${what} are written; further ones are only counted`)
    .argParser(megabytes)
    .default(DEFAULT_MAX_REJECTS);

/** Says how many bad lines were left out, nothing where none were. */
export const omittedText = (omitted: number, { maxRejects }: RejectsOptions): string =>
  omitted === 0 ? '' : `${omitted.toLocaleString('en')} of them not written, as --max-rejects is ${maxRejects} MB`;

/** @throws OperatorError if one of them cannot be read: a typo in the last name must not surface after hours */
export async function requireFiles(files: readonly string[]): Promise<void> {
  for (const file of files) if (file !== '-') await requireFile(file);
}

async function requireFile(file: string): Promise<void> {
  await access(file, constants.R_OK);
  if (!(await stat(file)).isDirectory()) return;
  throw new OperatorError('invalid_file', `${file} is a folder: name the files in it, such as ${file}/*.ndjson`);
}

/** @throws OperatorError if a file that is to be written is to be read, too, or takes the rejects */
export async function requireOutputs(
  outputs: readonly string[],
  inputs: readonly string[],
  { rejects }: Pick<RejectsOptions, 'rejects'>,
): Promise<void> {
  for (const output of outputs) {
    if (rejects !== undefined && resolve(rejects) === resolve(output)) {
      throw new OperatorError(
        'invalid_arguments',
        `--rejects ${rejects} is a file that --out writes: name another one`,
      );
    }
    const own = await identityOf(output);
    for (const input of own === null ? [] : inputs) {
      if ((await identityOf(input === '-' ? '/dev/stdin' : input)) !== own) continue;
      throw new OperatorError('invalid_file', `${output} is to be read, but would be overwritten: name another --out`);
    }
  }
}

/** The inputs of a command line. Clears the files of rejects, of which none may be an input. */
export async function inputsOf(files: readonly string[], options: InputOptions): Promise<InputArgument[]> {
  const { rejects: given, maxRejects, dryRun = false } = options;
  const limit = new RejectsLimit(maxRejects * BYTES_OF_MB);
  const shared = given === undefined ? null : new RejectsFile(given, limit);
  const own = (file: string) =>
    dryRun ? null : new RejectsFile(`${file === '-' ? 'stdin' : file}.rejected.ndjson`, limit);
  const inputs = files.map((file) => ({
    file,
    rejects: shared ?? own(file),
    isShared: shared !== null && files.length > 1,
  }));
  for (const { rejects } of inputs) await rejects?.requireNoneOf(files);
  for (const { rejects } of inputs) await rejects?.clear();
  return inputs;
}
