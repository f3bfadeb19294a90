import { realpath, stat } from 'node:fs/promises';
import type { DatabaseLocation } from '../model/config.js';
import { fileIdentities } from './file-identity.js';
import { OperatorError } from './operator-error.js';

type OutputOption = '--rejects' | '--metrics' | '--out';

/** A file that a command writes, and the option that chooses its name. */
export interface OutputFile {
  readonly path: string;
  readonly option: OutputOption;
}

/** A file that a command must not overwrite. */
export interface ProtectedFile {
  readonly path: string;
  /** What the file is, for the error message. */
  readonly role: string;
}

const WRITERS: Readonly<Record<OutputOption, string>> = {
  '--rejects': 'rejected lines',
  '--metrics': '--metrics',
  '--out': '--out',
};

const REMEDIES: Readonly<Record<OutputOption, string>> = {
  '--rejects': 'name another file with --rejects',
  '--metrics': 'name another file with --metrics',
  '--out': 'name another --out',
};

/** Suffixes of the files that SQLite keeps beside a database. */
const SQLITE_SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Lists a file that is written under a temporary name and then renamed, with that temporary name. */
export const renamedOutput = (path: string, option: OutputOption): OutputFile[] => [
  { path: `${path}.part`, option },
  { path, option },
];

export const protectInputs = (files: readonly string[]): ProtectedFile[] =>
  // Standard input can be redirected from a file.
  files.map((file) => ({ path: file === '-' ? '/dev/stdin' : file, role: 'an input' }));

/** Protects a file that an option names, if it is given. */
export const protectFile = (path: string | undefined, role: string): ProtectedFile[] =>
  path === undefined ? [] : [{ path, role }];

/** Protects the files of an embedded database. */
export async function protectDatabase(location: DatabaseLocation | null): Promise<ProtectedFile[]> {
  if (location?.dialect !== 'sqlite') return [];
  const paths = [location.path, location.usagePath];
  // SQLite keeps its files beside the target of a link.
  const targets = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...paths, ...targets].flatMap((path) =>
    SQLITE_SUFFIXES.map((suffix) => ({ path: `${path}${suffix}`, role: 'a file of the database' })),
  );
}

/** Checks outputs before any of them is opened. @throws OperatorError if one would overwrite a protected file, or one of another option */
export async function requireNoOverwrite(
  outputs: readonly OutputFile[],
  protectedFiles: readonly ProtectedFile[],
): Promise<void> {
  const roles = new Map<string, string>();
  for (const { path, role } of protectedFiles) {
    for (const identity of await fileIdentities(path)) roles.set(identity, role);
  }
  const options = new Map<string, OutputOption>();
  for (const { path, option } of outputs) {
    const identities = await fileIdentities(path);
    const [role] = identities.flatMap((identity) => roles.get(identity) ?? []);
    if (role !== undefined) {
      const message = `${path} is ${role}, but ${WRITERS[option]} would overwrite it: ${REMEDIES[option]}`;
      throw new OperatorError('invalid_file', message);
    }
    const other = identities
      .map((identity) => options.get(identity))
      .find((each) => each !== undefined && each !== option);
    if (other !== undefined) {
      const message = `${option} ${path} is a file that ${other} writes: name another file`;
      throw new OperatorError('invalid_arguments', message);
    }
    for (const identity of identities) options.set(identity, option);
    if (option !== '--rejects') await requireReplaceable(path, option);
  }
}

/** Rejects devices, pipes and folders: a rename would replace a device by a file. */
async function requireReplaceable(path: string, option: OutputOption): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || stats.isFile()) return;
  throw new OperatorError('invalid_file', `${path} is not a regular file: ${REMEDIES[option]}`);
}
