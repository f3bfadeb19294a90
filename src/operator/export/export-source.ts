import type { Database } from '../../database/database.js';
import type { KeysetDescription, KeysetList } from '../../database/keyset.js';
import type { ColumnOf, EntityClass, SqlValue, StreamRows } from '../../database/statements.js';
import type { Platform } from '../../model/platforms.js';
import type { ImportKind } from '../import/parse-line.js';

/** Rows per statement, because some servers limit the rows of a result. */
const ROWS_PER_STATEMENT = 4096;

/** Description of the lines of a kind. @typeParam E the entity of its rows */
export interface LineDescription<E, F extends ColumnOf<E>, K extends ColumnOf<E>, C extends ColumnOf<E>> extends Omit<
  KeysetDescription<E, K, C>,
  'filters'
> {
  readonly kind: ImportKind;
  /** Platforms of its records; null for records that belong to none. Each has a file of its own. */
  readonly platforms: readonly (Platform | null)[];
  readonly filters: readonly F[];
  /** Values of the filters that select the rows of a platform. The file has the rows of each, in this order. */
  readonly reads: (platform: Platform | null) => readonly (readonly SqlValue[])[];
  /** Returns the parts of the line of a row, without its line break. */
  readonly lineOf: (row: Pick<E, K | C>) => readonly Buffer[];
}

/** Lines of a kind, in the form that `import` takes. */
export interface ExportSource {
  readonly kind: ImportKind;
  readonly platforms: readonly (Platform | null)[];
  /** Counts the lines of a platform, approximately: others may write meanwhile. */
  count(database: Database, platform: Platform | null): Promise<number>;
  /** Yields the lines of a platform in groups, each line as its parts. @param stream of a snapshot */
  lines(database: Database, stream: StreamRows, platform: Platform | null): AsyncGenerator<(readonly Buffer[])[]>;
}

/** Creates the source of a kind from its description. */
export function exportSource<E extends object, F extends ColumnOf<E>, K extends ColumnOf<E>, C extends ColumnOf<E>>({
  kind,
  platforms,
  reads,
  lineOf,
  ...description
}: LineDescription<E, F, K, C>): ExportSource {
  const { entity, filters } = description;
  return {
    kind,
    platforms,
    count: (database, platform) => countRows(database, entity, filters, reads(platform)),
    lines: async function* (database, stream, platform) {
      const list = database.list<E, K, C>(description);
      for (const values of reads(platform)) {
        for await (const page of streamPages(stream, list, values)) {
          for await (const rows of page) yield rows.map(lineOf);
        }
      }
    },
  };
}

/** Counts the rows of a platform. @param reads values of the filters that select them */
export async function countRows<E extends object>(
  { dataSource }: Database,
  entity: EntityClass<E>,
  filters: readonly string[],
  reads: readonly (readonly SqlValue[])[],
): Promise<number> {
  let count = 0;
  for (const values of reads) {
    const query = dataSource.createQueryBuilder(entity, 'stored').select('COUNT(*)', 'records');
    const where = Object.fromEntries(filters.map((column, index) => [column, values[index] ?? null]));
    if (filters.length > 0) query.where(where);
    count += Number((await query.getRawOne<{ records: unknown }>())?.records ?? 0);
  }
  return count;
}

/** Yields the pages of a list, in its order, each as groups of rows. A page must be read to its end before the next one, because a snapshot
 * runs one statement at a time. */
export async function* streamPages<R, K extends keyof R & string>(
  stream: StreamRows,
  list: KeysetList<R, K>,
  filters: readonly SqlValue[],
): AsyncGenerator<AsyncIterable<R[]>> {
  const page = { rows: 0, last: null as R | null };
  do {
    const { statement, values } = list.page({ filters, after: page.last, limit: ROWS_PER_STATEMENT });
    page.rows = 0;
    yield (async function* () {
      for await (const rows of stream(statement, values)) {
        page.rows += rows.length;
        page.last = rows.at(-1) ?? page.last;
        yield rows;
      }
    })();
  } while (page.rows > ROWS_PER_STATEMENT);
}
