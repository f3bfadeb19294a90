import type { Stored } from '../../database/statements.js';
import type { HistoryEntity } from '../../features/history/history.entity.js';

/** A record in its stored form. */
export interface PreparedRecord<R extends object = { readonly document: string }, S extends object = object> {
  readonly row: R;
  /** Rows of a second table: the games of a content item, the targets of social links. */
  readonly related: readonly S[];
  /** Observation of a profile's statistics. Not replaced with the record: each day keeps its own. */
  readonly history?: Stored<HistoryEntity> | null;
}
