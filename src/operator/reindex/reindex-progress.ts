import type { Reader, Writer } from '../../database/database.js';
import { ProgressEntity } from '../../database/progress.entity.js';
import type { SqlValue } from '../../database/statements.js';
import type { ReindexKind } from './reindex-sources.js';

/** Progress of a reindex. */
export interface ReindexProgress {
  /** Identifies the code that derives the columns; with another one, a reindex starts from the beginning. */
  readonly schema: string;
  /** Key of the last processed record by column; null before the first. */
  readonly after: Readonly<Record<string, SqlValue>> | null;
  readonly records: number;
  readonly changed: number;
  /** Records that were skipped. */
  readonly unreadable: number;
  /** IDs of the first of them. */
  readonly firstUnreadable: readonly string[];
}

/** Returns the progress of a reindex that has not processed any record. */
export const initialProgress = (schema: string): ReindexProgress => ({
  schema,
  after: null,
  records: 0,
  changed: 0,
  unreadable: 0,
  firstUnreadable: [],
});

/** Reads the progress of an interrupted reindex; null: there is none. */
export async function readProgress(reader: Reader, kind: ReindexKind): Promise<ReindexProgress | null> {
  const byKind = reader.lookup({ entity: ProgressEntity, group: null, id: 'kind', columns: ['document'] });
  const [row] = await reader.findMany(byKind, null, [kind], { source: 'primary' });
  if (row === undefined) return null;
  // Progress that an older build stored lacks members.
  return { ...initialProgress(''), ...(JSON.parse(String(row.document)) as Partial<ReindexProgress>) };
}

export const writeProgress = (writer: Writer, kind: ReindexKind, progress: ReindexProgress): Promise<unknown> =>
  writer.upsert(ProgressEntity, [{ kind, document: JSON.stringify(progress) }]);

export const removeProgress = (writer: Writer, ...kinds: readonly ReindexKind[]): Promise<number> =>
  writer.remove(
    ProgressEntity,
    ['kind'],
    kinds.map((kind) => ({ kind })),
  );
