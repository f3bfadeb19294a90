import { DOCUMENT } from './columns.js';

/** A group ends with the row that reaches one of these limits. */
const GROUP = { rows: 1024, bytes: 256 * 1024 };

/** Collects rows to groups: fewer steps of an asynchronous iteration, in bounded memory. */
export async function* inGroups<R>(rows: AsyncIterable<R> | Iterable<R>): AsyncGenerator<R[], void> {
  let group: R[] = [];
  let bytes = 0;
  for await (const row of rows) {
    group.push(row);
    bytes += documentLength(row);
    if (group.length < GROUP.rows && bytes < GROUP.bytes) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

const documentLength = (row: unknown): number =>
  (row as { readonly [DOCUMENT]?: Buffer | string | null })[DOCUMENT]?.length ?? 0;
