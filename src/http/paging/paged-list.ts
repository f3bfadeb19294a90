import { DOCUMENT } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import type { KeysetList, Order } from '../../database/keyset.js';
import type { EntityClass, SqlValue } from '../../database/statements.js';
import { endOfDay, startOfDay } from '../../model/calendar-date.js';
import { badRequest } from '../api-error.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { FiltersOf, List, ListFilter, ListRange } from './list-declaration.js';

/** The validated parameters that every list shares. */
export interface PageParameters {
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

/** A row by column. */
type ListedRow = Readonly<Record<string, unknown>>;

/** Null where the row does not repeat it. */
const documentOf = (row: ListedRow) => row[DOCUMENT] as Buffer | null;

/** Finds the documents of items whose row has none, in the order of the IDs, null where there is none. */
type FindDocuments = (ids: readonly string[]) => Promise<readonly (Buffer | null)[]>;

/** How one page is read besides its request. */
interface PageContext {
  /** Members that the key's policy hides; null for none. */
  readonly hidden: ReadonlySet<string> | null;
  readonly findDocuments?: FindDocuments;
}

interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** The statements for a combination of filters. */
interface Compiled {
  readonly list: KeysetList<ListedRow, string>;
  /** Filters in the order of the index. */
  readonly combination: readonly string[];
}

/** Reads the pages of a declared list by keyset. Its statements are compiled at the start. */
export class PagedList<L extends List> {
  readonly #compiled = new Map<string, Compiled>();

  /** @throws Error where the entity lacks an index for a sort or a combination of filters */
  constructor(
    private readonly database: Database,
    private readonly list: L,
  ) {
    const entity = list.entity as EntityClass<ListedRow>;
    for (const combination of list.combinations) {
      const columns = combination.map((name) => this.#filter(name).column);
      for (const sort of Object.keys(list.sorts)) {
        const compiled = database.list<ListedRow, string, string>({
          entity,
          filters: [...list.scope, ...columns],
          keys: [sort, list.id],
          columns: [DOCUMENT],
        });
        this.#compiled.set(keyOf(combination, sort), { list: compiled, combination });
      }
    }
  }

  /** @throws ApiError 400 for filters that cannot be combined, for what the key may not see, or for a cursor of another
   * list or order */
  async page(
    scope: readonly SqlValue[],
    parameters: PageParameters & FiltersOf<L>,
    { hidden, findDocuments }: PageContext,
  ): Promise<Page> {
    const { name: listName, id } = this.list;
    const { order, limit, cursor } = parameters;
    const sort: string = parameters.sort;
    const values = this.#filterValues(parameters);
    this.#requireVisible([sort, ...Array.from(values.keys(), (name) => this.#filter(name).member)], hidden);
    const { list, combination } = this.#compiledFor([...values.keys()], sort);
    const bounds = this.#boundsOf(parameters, sort);
    const place = { list: listName, scope, sort, order };
    const position = cursor === undefined ? null : decodeCursor(cursor, place);
    const rows = await this.database.page(list, {
      filters: [...scope, ...combination.map((name) => values.get(name) ?? null)],
      order,
      limit,
      after: position && { [sort]: position.value, [id]: position.id },
      ...bounds,
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      documents: await documentsOf(page, id, findDocuments),
      nextCursor: last === undefined ? null : encodeCursor(place, { value: Number(last[sort]), id: String(last[id]) }),
    };
  }

  /** Whether the list has any item. */
  has(scope: readonly SqlValue[]): Promise<boolean> {
    const [sort = ''] = Object.keys(this.list.sorts);
    return this.database.has(this.#compiledFor([], sort).list, scope);
  }

  #filter(name: string): ListFilter {
    const filter = this.list.filters[name];
    if (filter === undefined) throw new Error(`${this.list.name} has no filter ${name}`);
    return filter;
  }

  /** The stored values of the filters that are given, by name. */
  #filterValues(parameters: object): ReadonlyMap<string, SqlValue> {
    const given = parameters as Readonly<Record<string, string | undefined>>;
    const values = new Map<string, SqlValue>();
    for (const [name, filter] of Object.entries(this.list.filters)) {
      const value = given[name];
      const stored = value === undefined ? null : filter.stored(value);
      if (stored !== null) values.set(name, stored);
    }
    return values;
  }

  /** Sorting by a member reveals it as filtering does. */
  #requireVisible(members: readonly string[], hidden: ReadonlySet<string> | null): void {
    const revealed = hidden === null ? undefined : members.find((member) => hidden.has(member));
    if (revealed !== undefined) throw badRequest(`${revealed} is hidden from this key`);
  }

  /** The statements for these filters. Any residual condition would read rows that are not answered, up to all of them. */
  #compiledFor(names: readonly string[], sort: string): Compiled {
    const compiled = this.#compiled.get(keyOf(names, sort));
    if (compiled === undefined) throw badRequest(`${names.join(' and ')} cannot be combined`);
    return compiled;
  }

  /** The bounds of the sorted column: dates or ranges. */
  #boundsOf({ start_date, end_date, ...others }: PageParameters, sort: string): Bounds {
    const isDated = this.list.sorts[sort] === 'date';
    if (!isDated && (start_date ?? end_date) !== undefined) {
      throw badRequest(`start_date and end_date need a sort by date, not by ${sort}`);
    }
    const bounds = {
      from: start_date === undefined ? null : startOfDay(start_date),
      to: end_date === undefined ? null : endOfDay(end_date),
    };
    for (const [name, range] of Object.entries<ListRange>(this.list.ranges)) {
      const value = (others as Readonly<Record<string, unknown>>)[name];
      if (value === undefined) continue;
      if (range.sort !== sort) throw badRequest(`${name} needs sort=${range.sort}`);
      bounds[range.end === 'min' ? 'from' : 'to'] = Number(value);
    }
    return bounds;
  }
}

/** Filters may be given in any order. */
const keyOf = (filters: readonly string[], sort: string): string => [...filters.toSorted(), sort].join(' ');

/** The documents of a page, including those that its rows do not repeat. */
async function documentsOf(
  page: readonly ListedRow[],
  id: string,
  findDocuments: FindDocuments | undefined,
): Promise<readonly Buffer[]> {
  const documents = page.map(documentOf);
  if (areAllThere(documents)) return documents;
  const absent = page.flatMap((row) => (documentOf(row) === null ? [String(row[id])] : []));
  const found = (await findDocuments?.(absent)) ?? [];
  let next = 0;
  // A document that was replaced or forgotten since the page was read is left out.
  return documents.map((document) => document ?? found[next++] ?? null).filter((document) => document !== null);
}

function areAllThere(documents: readonly (Buffer | null)[]): documents is readonly Buffer[] {
  return documents.every((document) => document !== null);
}
