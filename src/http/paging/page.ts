import type { Database, Row } from '../../database/database.js';
import type { Order } from '../../database/keyset.js';
import { decodeCursor, encodeCursor, type ListKind } from './cursor.js';
import { keysetStatement, type KeysetPage } from '../../database/keyset.js';
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

/** What a list adds to its request: where it is read from. The select list is (document, sort value, ID). */
export interface PageSource extends Pick<KeysetPage, 'select' | 'filters' | 'sortColumn' | 'idColumn'> {
  /** Finds the documents of items whose row has none, in the order of the IDs, null where there is none. */
  readonly findDocuments?: (ids: readonly string[]) => Promise<readonly (Buffer | null)[]>;
}

/** Reads one page of a list by keyset. @throws ApiError 400 for a cursor of another list or order */
export async function readPage(
  database: Database,
  kind: ListKind,
  request: ListRequest,
  source: PageSource,
): Promise<Page> {
  const { sort, order, limit } = request;
  const statement = keysetStatement(
    {
      ...source,
      order,
      limit,
      after: request.cursor === undefined ? null : decodeCursor(request.cursor, { kind, sort, order }),
      from: request.start_date === undefined ? null : startOfDay(request.start_date),
      to: request.end_date === undefined ? null : endOfDay(request.end_date),
    },
    database.dialect,
  );
  const rows = await database.read(statement.sql, statement.values);
  const page = rows.slice(0, limit);
  const [, value, id] = page.at(-1) ?? [];
  const last = rows.length > limit ? { value: Number(value), id: String(id) } : null;
  return {
    documents: await documentsOf(page, source),
    nextCursor: last === null ? null : encodeCursor({ kind, sort, order }, last),
  };
}

/** The documents of a page, those included that its rows do not have. */
async function documentsOf(page: readonly Row[], { findDocuments }: PageSource): Promise<readonly Buffer[]> {
  const documents = page.map(([document]) => document as Buffer | null);
  if (areAllThere(documents)) return documents;
  const absent = page.flatMap(([document, , id]) => (document === null ? [String(id)] : []));
  const found = (await findDocuments?.(absent)) ?? [];
  let next = 0;
  // One that has been replaced or forgotten since the page was read is left out.
  return documents.map((document) => document ?? found[next++] ?? null).filter((document) => document !== null);
}

function areAllThere(documents: readonly (Buffer | null)[]): documents is readonly Buffer[] {
  return documents.every((document) => document !== null);
}
