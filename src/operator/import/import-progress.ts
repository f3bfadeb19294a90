import { createHash } from 'node:crypto';
import type { Database, Writer } from '../../database/database.js';
import { ProgressEntity } from '../../database/progress.entity.js';
import type { ResumePoint } from './importer.js';
import type { ImportKind } from './parse-line.js';
import type { RejectionReason } from './reasons.js';
import type { RejectsMark } from './rejects-file.js';

/** Age at which the progress of an interrupted import expires. */
const EXPIRES_MS = 30 * 86_400_000;

/** Rows per read. */
const PAGE_SIZE = 100;

/** A file by its content. */
export interface FileIdentity {
  readonly kind: ImportKind;
  /** Checksum of the content. */
  readonly checksum: string;
  /** Hash of the path, to detect that a file was changed. */
  readonly pathHash: string;
  /** How many earlier inputs of the command have the same content. */
  readonly repetition: number;
}

/** Progress of an unfinished import of a file. */
export interface ImportProgress extends FileIdentity {
  readonly savedAt: number;
  /** Where to resume. The rest is the state at its position. */
  readonly point: ResumePoint;
  /** Whether the whole file is loaded, and only other files of the command are not. */
  readonly isComplete: boolean;
  /** Rejected lines that were not written to the rejects file. */
  readonly omitted: number;
  readonly reasons: readonly RejectionReason[];
  /** End of the rejects file. */
  readonly rejects: RejectsMark | null;
}

/** Prefix of the keys of imports in the table of progress. */
const PREFIX = 'import ';

/** Returns the key of a file's progress. It has at most 32 bytes. */
function importKey({ kind, checksum, repetition }: FileIdentity): string {
  const hash = createHash('sha256').update(`${kind} ${checksum} ${repetition}`).digest('base64url');
  return `${PREFIX}${hash.slice(0, 25)}`;
}

/** Saves the progress of an import, in the transaction of its batch. */
export const saveProgress = (writer: Writer, progress: ImportProgress): Promise<unknown> =>
  writer.upsert(ProgressEntity, [{ kind: importKey(progress), document: JSON.stringify(progress) }]);

/** Lists the progress of interrupted imports. */
export async function listProgress(database: Database): Promise<ImportProgress[]> {
  const all = database.list({ entity: ProgressEntity, filters: [], keys: ['kind'], columns: ['document'] });
  const found: ImportProgress[] = [];
  for await (const rows of database.pages(all, { filters: [], limit: PAGE_SIZE })) {
    for (const { kind, document } of rows.slice(0, PAGE_SIZE)) {
      if (String(kind).startsWith(PREFIX)) found.push(JSON.parse(String(document)) as ImportProgress);
    }
  }
  return found;
}

/** Returns whether progress was saved so long ago that it is removed. */
export const hasExpired = ({ savedAt }: ImportProgress): boolean => Date.now() - savedAt > EXPIRES_MS;

/** Returns whether two identities have the same content. */
export const hasSameContent = (a: FileIdentity, b: FileIdentity): boolean => importKey(a) === importKey(b);

/** Returns whether a file has the name of another one with different content. */
export const replacesFile = (file: FileIdentity, other: FileIdentity): boolean =>
  file.kind === other.kind && file.pathHash === other.pathHash && file.checksum !== other.checksum;

/** Removes the progress of files. */
export async function removeProgress(database: Database, files: readonly FileIdentity[]): Promise<void> {
  if (files.length === 0) return;
  const keys = Array.from(new Set(files.map(importKey)), (kind) => ({ kind }));
  await database.write((writer) => writer.remove(ProgressEntity, ['kind'], keys));
}
