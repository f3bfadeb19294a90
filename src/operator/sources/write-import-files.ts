import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';
import { ASSEMBLED_KINDS, createDraft } from '../../sources/assemble/assembly.js';
import type { SourceRun } from './source-run.js';
import { createImportLine } from './import-line.js';

/** Lines are written in chunks of about this length. */
const CHUNK_CHARACTERS = 256 * 1024;

const pathOf = (folder: string, kind: string): string => join(folder, `${kind}.ndjson`);

/** Lists the files that a run may write to a folder. */
export const listOutputFiles = (folder: string): string[] =>
  [...ASSEMBLED_KINDS, 'socials'].map((kind) => pathOf(folder, kind));

/** Writes the records of a run, a file per kind. Each file is created complete or not at all. @returns the files */
export async function writeImportFiles(sourceRun: SourceRun, folder: string, signal: AbortSignal): Promise<string[]> {
  await createFolder(folder);
  const assembly = sourceRun.createAssembly();
  const { tally } = sourceRun;
  const written: string[] = [];
  for (const kind of ASSEMBLED_KINDS) {
    const file = await NdjsonFile.create(pathOf(folder, kind));
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
        if (signal.aborted) break;
      }
    }
    await file.finish(signal.aborted);
    if (signal.aborted) return written;
    written.push(file.path);
  }
  const socials = await NdjsonFile.create(pathOf(folder, 'socials'));
  let links = 0;
  for (const draft of assembly.mutualLinks()) {
    const line = createImportLine('socials', draft);
    if ('reason' in line) continue;
    links += 1;
    tally.countWritten('socials');
    if (socials.add(line.text)) await socials.flush();
  }
  await socials.finish(links === 0);
  if (links === 0) await rm(socials.path, { force: true });
  else written.push(socials.path);
  return written.sort();
}

/** A file that is written under a temporary name, and renamed when it is complete. */
class NdjsonFile {
  #chunk = '';

  private constructor(
    readonly path: string,
    private readonly handle: Awaited<ReturnType<typeof open>>,
  ) {}

  static async create(path: string): Promise<NdjsonFile> {
    return new NdjsonFile(path, await open(`${path}.part`, 'w'));
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

  /** Renames the file, or deletes it. */
  async finish(discard: boolean): Promise<void> {
    await this.flush();
    await this.handle.close();
    if (discard) await rm(`${this.path}.part`);
    else await rename(`${this.path}.part`, this.path);
  }
}
