import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { identityOf } from './file-identity.js';
import { RejectsFile } from './import/rejects-file.js';
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
interface InputOptions {
  /** One file for all inputs. */
  readonly rejects?: string;
  readonly dryRun?: boolean;
}

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
  { rejects }: InputOptions,
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
  const { rejects: given, dryRun = false } = options;
  const shared = given === undefined ? null : new RejectsFile(given);
  const own = (file: string) => (dryRun ? null : new RejectsFile(`${file === '-' ? 'stdin' : file}.rejected.ndjson`));
  const inputs = files.map((file) => ({
    file,
    rejects: shared ?? own(file),
    isShared: shared !== null && files.length > 1,
  }));
  for (const { rejects } of inputs) await rejects?.requireNoneOf(files);
  for (const { rejects } of inputs) await rejects?.clear();
  return inputs;
}
