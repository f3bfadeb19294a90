import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Database } from '../../database/database.js';
import { formatCount } from '../../model/counts.js';
import type { Output } from '../output.js';
import {
  hasExpired,
  hasSameContent,
  listProgress,
  removeProgress,
  replacesFile,
  type FileIdentity,
  type ImportProgress,
} from './import-progress.js';
import type { ImportInput } from './input.js';

/** Bytes per read of a checksum. */
const CHUNK_BYTES = 1024 * 1024;

/** What an import knows of an input before it reads its lines. */
export interface ResumableInput {
  /** Null if the input cannot be read twice. */
  readonly identity: FileIdentity | null;
  /** Progress of an interrupted import; null: the input starts at the beginning. */
  readonly progress: ImportProgress | null;
}

/** Decides where each input starts. Without `--resume`, the progress of an earlier import is removed. */
export async function prepareResumption(
  database: Database,
  files: readonly ImportInput[],
  { resume, output, signal }: { readonly resume: boolean; readonly output: Output; readonly signal: AbortSignal },
): Promise<ResumableInput[]> {
  const identities = await identifyFiles(files, signal);
  const found = await listProgress(database);
  const interrupted = resume ? found.filter((progress) => !hasExpired(progress)) : [];
  const inputs = identities.map((identity): ResumableInput => {
    const progress = interrupted.find((each) => identity !== null && hasSameContent(each, identity)) ?? null;
    return { identity, progress };
  });
  if (resume && !signal.aborted) {
    for (const [index, input] of inputs.entries()) {
      const message = describeStart(input, interrupted);
      if (message !== null) output.printMessage(`${nameOf(files[index]?.file)}: ${message}`);
    }
  }
  const known = identities.filter((identity) => identity !== null);
  const outdated = found.filter(
    (each) =>
      hasExpired(each) || known.some((file) => replacesFile(file, each) || (!resume && hasSameContent(file, each))),
  );
  await removeProgress(database, outdated);
  return inputs;
}

/** Names an input in messages. */
export const nameOf = (file = ''): string => (file === '-' ? 'standard input' : file);

/** Says why an input starts at the beginning, or where it resumes; null: it is loaded. */
function describeStart({ identity, progress }: ResumableInput, interrupted: readonly ImportProgress[]): string | null {
  if (identity === null) return 'only regular files can be resumed: starting at the beginning';
  if (progress !== null) {
    return progress.isComplete ? null : `resuming after line ${formatCount(progress.point.storedLine)}`;
  }
  return interrupted.some((other) => replacesFile(identity, other))
    ? 'the file has changed since its import was interrupted: starting at the beginning'
    : 'nothing of this file was stored by an interrupted import: starting at the beginning';
}

async function identifyFiles(files: readonly ImportInput[], signal: AbortSignal): Promise<(FileIdentity | null)[]> {
  const identities: (FileIdentity | null)[] = [];
  for (const { kind, file, sha256 } of files) {
    const known = sha256 === null ? null : Buffer.from(sha256, 'hex').toString('base64url');
    const isRegular = file !== '-' && (await stat(file)).isFile();
    const checksum = known ?? (isRegular ? await checksumOf(file, signal) : null);
    const pathHash = createHash('sha256').update(resolve(file)).digest('base64url');
    const repetition = identities.filter((other) => other?.checksum === checksum).length;
    identities.push(checksum === null ? null : { kind, checksum, pathHash, repetition });
  }
  return identities;
}

/** Returns the SHA-256 of a file; null if a signal stopped it. */
async function checksumOf(file: string, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    if (signal.aborted) return null;
    hash.update(chunk as Buffer);
  }
  return hash.digest('base64url');
}
