import { join } from 'node:path';
import type { Database } from '../../database/database.js';
import { currentCursors, GAMES_FEED, type FeedCursors } from '../../features/changes/current-cursors.js';
import type { Platform } from '../../model/platforms.js';
import { writeManifest } from '../manifest-file.js';
import { createFolderAtOnce } from '../new-folder.js';
import { writePackedFile } from '../packed-file.js';
import {
  EXPORT_FORMAT,
  formatExportName,
  type ExportCursors,
  type ExportedFile,
  type ExportManifest,
} from './export-manifest.js';
import type { ExportSource } from './export-source.js';

/** Lines are compressed in chunks of about this length. */
const CHUNK_BYTES = 256 * 1024;

/** The fastest level: a higher one saves a tenth of the space and halves the rate. */
const COMPRESSION_LEVEL = 1;

const LINE_BREAK = Buffer.from('\n');

/** A file to write. */
export interface ExportPart {
  readonly source: ExportSource;
  /** Null for records that belong to no platform. */
  readonly platform: Platform | null;
}

export interface ExportOptions {
  /** Stops the export, and removes what it wrote. */
  readonly signal: AbortSignal;
  /** Called after each chunk. @param records written, in all files */
  readonly progress: (records: number) => void;
}

/**
 * Writes records to the files of a new folder, which is created complete or not at all. All files have one state of the store.
 * @throws OperatorError if the folder exists and is not empty
 */
export function writeExport(
  database: Database,
  folder: string,
  parts: readonly ExportPart[],
  options: ExportOptions,
): Promise<ExportManifest> {
  return createFolderAtOnce(folder, options.signal, async (unfinished) => {
    const cursors = cursorsOf(await currentCursors(database), parts);
    return database.snapshot(async (stream) => {
      const created_at = new Date().toISOString();
      const files: ExportedFile[] = [];
      let written = 0;
      for (const { source, platform } of parts) {
        const count = (records: number) => options.progress(written + records);
        const file = await writePart(
          unfinished,
          { source, platform },
          chunksOf(source.lines(database, stream, platform), count),
          options.signal,
        );
        if (file !== null) files.push(file);
        written += file?.records ?? 0;
      }
      const manifest = { created_at, files, cursors };
      await writeManifest(EXPORT_FORMAT, unfinished, manifest);
      return manifest;
    });
  });
}

/** Selects the cursors of the feeds whose records are exported. */
function cursorsOf(all: FeedCursors, parts: readonly ExportPart[]): ExportCursors {
  const cursors: ExportCursors = {};
  for (const { source, platform } of parts) {
    const feed = platform ?? GAMES_FEED;
    const cursor = Object.entries(all[feed] ?? {}).find(([kind]) => kind === source.kind)?.[1];
    if (cursor !== undefined) (cursors[feed] ??= {})[source.kind] = cursor;
  }
  return cursors;
}

/** Lines of a file, and how many there are so far. */
interface Chunk {
  readonly bytes: Buffer;
  readonly records: number;
}

/** Writes a file. @returns null if there are no records, and so no file */
async function writePart(
  folder: string,
  { source: { kind }, platform }: ExportPart,
  chunks: AsyncGenerator<Chunk, void>,
  signal: AbortSignal,
): Promise<ExportedFile | null> {
  signal.throwIfAborted();
  const first = await chunks.next();
  if (first.value === undefined) return null;
  const start = first.value;
  let { records } = start;
  const name = formatExportName(kind, platform);
  const bytesOf = async function* () {
    yield start.bytes;
    for await (const chunk of chunks) {
      ({ records } = chunk);
      yield chunk.bytes;
    }
  };
  const { bytes, sha256 } = await writePackedFile(join(folder, name), bytesOf(), { signal, level: COMPRESSION_LEVEL });
  return { name, kind, platform, bytes, sha256, records };
}

/** Joins lines to chunks. */
async function* chunksOf(
  groups: AsyncIterable<(readonly Buffer[])[]>,
  count: (records: number) => void,
): AsyncGenerator<Chunk, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let records = 0;
  const finishChunk = (): Chunk => {
    const chunk = { bytes: Buffer.concat(parts), records };
    [parts, bytes] = [[], 0];
    count(records);
    return chunk;
  };
  for await (const lines of groups) {
    for (const line of lines) {
      parts.push(...line, LINE_BREAK);
      for (const part of line) bytes += part.length;
      records += 1;
      if (bytes >= CHUNK_BYTES) yield finishChunk();
    }
  }
  if (records > 0 && parts.length > 0) yield finishChunk();
}
