import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';
import { ASSEMBLED_KINDS, draftOf } from '../../sources/assemble/assembly.js';
import type { Gathering } from './gathering.js';
import { lineOf } from './record-line.js';

/** Lines are written in pieces of about this length. */
const PIECE_CHARACTERS = 256 * 1024;

const fileOf = (folder: string, kind: string): string => join(folder, `${kind}.ndjson`);

/** The files of a folder that a run may write. */
export const outputsIn = (folder: string): string[] =>
  [...ASSEMBLED_KINDS, 'socials'].map((kind) => fileOf(folder, kind));

/** Writes the records of a run, a file a kind; a file is there whole or not at all. @returns the files */
export async function writeFiles(gathering: Gathering, folder: string, signal: AbortSignal): Promise<string[]> {
  await createFolder(folder);
  const assembly = gathering.assembly();
  const { tally } = gathering;
  const written: string[] = [];
  for (const kind of ASSEMBLED_KINDS) {
    const file = await NdjsonFile.create(fileOf(folder, kind));
    for (const record of assembly.records(kind)) {
      tally.assembled(record);
      const line = lineOf(kind, draftOf(record, assembly.findCategory));
      if ('reason' in line) await gathering.rejectRecord(record, line.reason, line.text);
      else {
        if (record.handle !== null && !record.members.has('profile_id')) {
          tally.unresolved(record.platform, record.handle);
        }
        tally.wrote(kind);
        if (file.add(line.text)) await file.flush();
        if (signal.aborted) break;
      }
    }
    await file.finish(signal.aborted);
    if (signal.aborted) return written;
    written.push(file.path);
  }
  const socials = await NdjsonFile.create(fileOf(folder, 'socials'));
  let links = 0;
  for (const draft of assembly.socials()) {
    const line = lineOf('socials', draft);
    if ('reason' in line) continue;
    links += 1;
    tally.wrote('socials');
    if (socials.add(line.text)) await socials.flush();
  }
  await socials.finish(links === 0);
  if (links === 0) await rm(socials.path, { force: true });
  else written.push(socials.path);
  return written.sort();
}

/** A file that gets its name when it is whole. */
class NdjsonFile {
  #piece = '';

  private constructor(
    readonly path: string,
    private readonly handle: Awaited<ReturnType<typeof open>>,
  ) {}

  static async create(path: string): Promise<NdjsonFile> {
    return new NdjsonFile(path, await open(`${path}.part`, 'w'));
  }

  /** @returns whether it is time to flush */
  add(line: string): boolean {
    this.#piece += `${line}\n`;
    return this.#piece.length >= PIECE_CHARACTERS;
  }

  async flush(): Promise<void> {
    await this.handle.appendFile(this.#piece);
    this.#piece = '';
  }

  async finish(isDropped: boolean): Promise<void> {
    await this.flush();
    await this.handle.close();
    if (isDropped) await rm(`${this.path}.part`);
    else await rename(`${this.path}.part`, this.path);
  }
}
