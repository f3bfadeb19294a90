import { access, constants } from 'node:fs/promises';
import { RejectsFile } from './import/rejects-file.js';

/** A file to read, and where what is bad in it goes. */
export interface InputArgument {
  readonly file: string;
  readonly rejects: RejectsFile;
  /** Several inputs have it: each bad line says which is its own. */
  readonly isShared: boolean;
}

/**
 * The files of a command line, all there to be read. Clears the files of rejects, of which none may be an input.
 * @param given one for all inputs
 */
export async function inputsOf(files: readonly string[], given: string | undefined): Promise<InputArgument[]> {
  // A typo in the last name must not surface after hours.
  for (const file of files) if (file !== '-') await access(file, constants.R_OK);
  const shared = given === undefined ? null : new RejectsFile(given);
  const inputs = files.map((file) => ({
    file,
    rejects: shared ?? new RejectsFile(`${file === '-' ? 'stdin' : file}.rejected.ndjson`),
    isShared: shared !== null && files.length > 1,
  }));
  for (const { rejects } of inputs) await rejects.requireNoneOf(files);
  for (const { rejects } of inputs) await rejects.clear();
  return inputs;
}
