import { lstat, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';
import { ASSEMBLED_KINDS, createDraft, type AssembledKind, type Assembly } from '../../sources/assemble/assembly.js';
import { OperatorError } from '../operator-error.js';
import { createPart, discardPart, publishPart } from '../replace-file.js';
import type { SourceRun } from './source-run.js';
import { createImportLine } from './import-line.js';

/** Lines are written in chunks of about this length. */
const CHUNK_CHARACTERS = 256 * 1024;

const pathOf = (folder: string, kind: string): string => join(folder, `${kind}.ndjson`);

/** Lists the files that a run may write to a folder. */
export const listOutputFiles = (folder: string): string[] =>
  [...ASSEMBLED_KINDS, 'socials'].map((kind) => pathOf(folder, kind));

/** Checks that a folder has no import files yet. @throws OperatorError if it has one */
export async function requireNoImportFiles(folder: string): Promise<void> {
  for (const path of listOutputFiles(folder)) {
    if (!(await exists(path))) continue;
    const message = `${path} exists: choose another folder, or pass --overwrite to replace the import files in this one`;
    throw new OperatorError('invalid_file', message);
  }
}

/** Returns whether a name is taken, be it by a broken link. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    // With ENOTDIR, the folder is a file: `createFolder` explains that.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Writes the records of a run, a file per kind, and removes the import files that only an earlier run wrote. All files
 * are replaced at the end, so a failed or stopped run leaves the earlier ones. @returns the files; null if stopped
 */
export async function writeImportFiles(
  sourceRun: SourceRun,
  folder: string,
  signal: AbortSignal,
): Promise<string[] | null> {
  await createFolder(folder);
  const assembly = sourceRun.createAssembly();
  const files: NdjsonFile[] = [];
  const createFile = async (kind: string): Promise<NdjsonFile> => {
    const file = await NdjsonFile.create(pathOf(folder, kind));
    files.push(file);
    return file;
  };
  try {
    for (const kind of ASSEMBLED_KINDS) {
      await writeRecords(sourceRun, assembly, kind, await createFile(kind), signal);
      if (signal.aborted) return null;
    }
    const socials = await createFile('socials');
    const links = await writeLinks(sourceRun, assembly, socials);
    if (signal.aborted) return null;
    const complete = files.filter((file) => file !== socials || links > 0);
    if (links === 0) await rm(socials.path, { force: true });
    for (const file of complete) await file.publish();
    return complete.map(({ path }) => path).sort();
  } finally {
    for (const file of files) await file.discard();
  }
}

async function writeRecords(
  sourceRun: SourceRun,
  assembly: Assembly,
  kind: AssembledKind,
  file: NdjsonFile,
  signal: AbortSignal,
): Promise<void> {
  const { tally } = sourceRun;
  for (const record of assembly.records(kind)) {
    tally.countAssembled(record);
    const line = createImportLine(kind, createDraft(record, assembly.findCategory));
    if ('reason' in line) await sourceRun.rejectRecord(record, line.reason, line.text);
    else {
      if (record.handle !== null && !record.members.has('profile_id')) {
        tally.countUnresolvedAuthor(record.platform, record.handle);
      }
      tally.countWritten(kind);
      if (file.add(line.text)) await file.flush();
      if (signal.aborted) return;
    }
  }
  await file.close();
}

/** @returns the number of links */
async function writeLinks({ tally }: SourceRun, assembly: Assembly, file: NdjsonFile): Promise<number> {
  let links = 0;
  for (const draft of assembly.mutualLinks()) {
    const line = createImportLine('socials', draft);
    if ('reason' in line) continue;
    links += 1;
    tally.countWritten('socials');
    if (file.add(line.text)) await file.flush();
  }
  await file.close();
  return links;
}

/** A file that is written under a temporary name, and renamed when all files are complete. */
class NdjsonFile {
  #chunk = '';

  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<NdjsonFile> {
    return new NdjsonFile(path, await createPart(path));
  }

  /** Buffers a line. @returns whether to call `flush` */
  add(line: string): boolean {
    this.#chunk += `${line}\n`;
    return this.#chunk.length >= CHUNK_CHARACTERS;
  }

  async flush(): Promise<void> {
    await this.handle.appendFile(this.#chunk);
    this.#chunk = '';
  }

  async close(): Promise<void> {
    await this.flush();
    await this.handle.close();
  }

  /** Renames the closed file, and replaces an existing one. */
  async publish(): Promise<void> {
    await publishPart(this.path);
  }

  /** Closes the file if it is open, and deletes it unless it is published. */
  async discard(): Promise<void> {
    await this.handle.close();
    await discardPart(this.path);
  }
}
