import type { Database } from '../../database/database.js';
import type { KeysetList, Order } from '../../database/keyset.js';
import type { SqlValue } from '../../database/statements.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import { endOfDay, startOfDay } from '../../model/calendar-date.js';

/** The validated parameters that every list shares. */
export interface ListRequest {
  readonly sort: string;
  readonly order: Order;
  readonly cursor?: string;
  readonly limit: number;
  readonly start_date?: string;
  readonly end_date?: string;
}

/** A page of stored documents; `nextCursor` is null on the last one. */
export interface Page {
  readonly documents: readonly Buffer[];
  readonly nextCursor: string | null;
}

interface Listed {
  readonly document: Buffer | null;
}

/** What a list adds to its request: where it is read from. The keys are the sort value and the ID. */
interface PageSource<R extends Listed, K extends keyof R & string> {
  readonly list: KeysetList<R, K>;
  readonly filters: readonly SqlValue[];
  /** Finds the documents of items whose row has none, in the order of the IDs, null where there is none. */
  readonly findDocuments?: (ids: readonly string[]) => Promise<readonly (Buffer | null)[]>;
}

/** Reads one page of a list by keyset. @throws ApiError 400 for a cursor of another list or order */
export async function readPage<R extends Listed, K extends keyof R & string>(
  database: Database,
  listName: string,
  request: ListRequest,
  source: PageSource<R, K>,
): Promise<Page> {
  const { sort, order, limit } = request;
  const { list, filters } = source;
  const [sortKey, idKey] = list.keys as [K, K];
  const position = request.cursor === undefined ? null : decodeCursor(request.cursor, { list: listName, sort, order });
  const rows = await database.page(list, {
    filters,
    order,
    limit,
    after: position && ({ [sortKey]: position.value, [idKey]: position.id } as Pick<R, K>),
    from: request.start_date === undefined ? null : startOfDay(request.start_date),
    to: request.end_date === undefined ? null : endOfDay(request.end_date),
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    documents: await documentsOf(page, idKey, source),
    nextCursor:
      last === undefined
        ? null
        : encodeCursor({ list: listName, sort, order }, { value: Number(last[sortKey]), id: String(last[idKey]) }),
  };
}

/** The documents of a page, those included that its rows do not have. */
async function documentsOf<R extends Listed, K extends keyof R & string>(
  page: readonly R[],
  idKey: K,
  { findDocuments }: PageSource<R, K>,
): Promise<readonly Buffer[]> {
  const documents = page.map(({ document }) => document);
  if (areAllThere(documents)) return documents;
  const absent = page.flatMap((row) => (row.document === null ? [String(row[idKey])] : []));
  const found = (await findDocuments?.(absent)) ?? [];
  let next = 0;
  // One that has been replaced or forgotten since the page was read is left out.
  return documents.map((document) => document ?? found[next++] ?? null).filter((document) => document !== null);
}

function areAllThere(documents: readonly (Buffer | null)[]): documents is readonly Buffer[] {
  return documents.every((document) => document !== null);
}
