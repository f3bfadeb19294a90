import { DOCUMENT } from '../../database/columns.js';
import type { Database } from '../../database/database.js';
import type { KeysetList, Order } from '../../database/keyset.js';
import type { EntityClass, SqlValue } from '../../database/statements.js';
import { endOfDay, startOfDay } from '../../model/calendar-date.js';
import { ApiError, conflictingParameters } from '../errors/api-error.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { FiltersOf, List, ListFilter, ListRange } from './list-declaration.js';

export interface PageParameters {
  readonly order: Order;
  readonly cursor?: string;
  readonly limit: number;
  readonly start_date?: string;
  readonly end_date?: string;
}

/** Page of stored documents; `nextCursor` is null on the last page. */
export interface Page {
  readonly documents: readonly Buffer[];
  readonly nextCursor: string | null;
  /** Frees the memory of the documents, which must not be used afterwards. */
  readonly free: () => void;
}

type ListedRow = Readonly<Record<string, unknown>>;

/** Null if the row does not store a copy of the document. */
const getDocument = (row: ListedRow) => row[DOCUMENT] as Buffer | null;

/** Finds documents in the order of the IDs, null for unknown ones. Called for rows without a copy of their document. */
type FindDocuments = (ids: readonly string[]) => Promise<readonly (Buffer | null)[]>;

interface PageContext {
  /** Members that the key's policy hides; null for none. */
  readonly hidden: ReadonlySet<string> | null;
  readonly findDocuments?: FindDocuments;
}

interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** Statements of a combination of filters under one sort. */
interface CompiledCombination {
  readonly list: KeysetList<ListedRow, string>;
  /** In the order of the index. */
  readonly combination: readonly string[];
}

/** Reads pages of a declared list by keyset. Statements are compiled at the start. */
export class PagedList<L extends List> {
  readonly #compiled = new Map<string, CompiledCombination>();

  /** @throws Error if a sort or combination of filters has no index */
  constructor(
    private readonly database: Database,
    private readonly list: L,
  ) {
    const entity = list.entity as EntityClass<ListedRow>;
    for (const combination of list.combinations) {
      const columns = combination.map((name) => this.#getFilter(name).column);
      for (const sort of Object.keys(list.sorts)) {
        const compiled = database.list<ListedRow, string, string>({
          entity,
          filters: [...list.scope, ...columns],
          keys: [sort, list.id],
          columns: [DOCUMENT],
        });
        this.#compiled.set(statementKey(combination, sort), { list: compiled, combination });
      }
    }
  }

  /** @throws ApiError 400 for filters that cannot be combined, a member that is hidden from the key, or a cursor of
   * another list or order */
  async readPage(
    scope: readonly SqlValue[],
    parameters: PageParameters & FiltersOf<L>,
    { hidden, findDocuments }: PageContext,
  ): Promise<Page> {
    const { name: listName, id } = this.list;
    const { order, limit, cursor } = parameters;
    const sort: string = parameters.sort;
    const values = this.#filterValues(parameters);
    if (hidden !== null) this.#requireVisible(sort, [...values.keys()], hidden);
    const { list, combination } = this.#findCompiled([...values.keys()], sort);
    const cursorScope = { list: listName, scope, sort, order };
    const position = cursor === undefined ? null : decodeCursor(cursor, cursorScope);
    const bounds = this.#readBounds(parameters, sort);
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
      documents: await completeDocuments(page, id, findDocuments),
      nextCursor:
        last === undefined ? null : encodeCursor(cursorScope, { value: Number(last[sort]), id: String(last[id]) }),
      free: () => this.database.freePage(rows),
    };
  }

  hasItems(scope: readonly SqlValue[]): Promise<boolean> {
    const [sort = ''] = Object.keys(this.list.sorts);
    return this.database.has(this.#findCompiled([], sort).list, scope);
  }

  #getFilter(name: string): ListFilter {
    const filter = this.list.filters[name];
    if (filter === undefined) throw new Error(`${this.list.name} has no filter ${name}`);
    return filter;
  }

  /** Returns the stored values of the given filters by name. */
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

  /** Rejects sorts and filters by hidden members, because the result would reveal them. */
  #requireVisible(sort: string, filters: readonly string[], hidden: ReadonlySet<string>): void {
    const members = [['sort', sort], ...filters.map((name) => [name, this.#getFilter(name).member])] as const;
    for (const [parameter = '', member = ''] of members) {
      if (hidden.has(member)) throw new ApiError('member_hidden', `${member} is hidden from this key`, { parameter });
    }
  }

  /** Finds the statements of a declared combination. Without an index for all filters, a page could read the whole list. */
  #findCompiled(names: readonly string[], sort: string): CompiledCombination {
    const compiled = this.#compiled.get(statementKey(names, sort));
    if (compiled === undefined) throw conflictingParameters(`${names.join(' and ')} cannot be combined`);
    return compiled;
  }

  #readBounds({ start_date, end_date, ...others }: PageParameters, sort: string): Bounds {
    const isDated = this.list.sorts[sort] === 'date';
    if (!isDated && (start_date ?? end_date) !== undefined) {
      throw conflictingParameters(`start_date and end_date need a sort by date, not by ${sort}`);
    }
    const bounds = {
      from: start_date === undefined ? null : startOfDay(start_date),
      to: end_date === undefined ? null : endOfDay(end_date),
    };
    for (const [name, range] of Object.entries<ListRange>(this.list.ranges)) {
      const value = (others as Readonly<Record<string, unknown>>)[name];
      if (value === undefined) continue;
      if (range.sort !== sort) throw conflictingParameters(`${name} needs sort=${range.sort}`);
      bounds[range.end === 'min' ? 'from' : 'to'] = Number(value);
    }
    return bounds;
  }
}

/** Sorts the filters, because a request may give them in any order. */
const statementKey = (filters: readonly string[], sort: string): string => [...filters.toSorted(), sort].join(' ');

/** Returns the documents of a page, and finds those that its rows do not store. */
async function completeDocuments(
  page: readonly ListedRow[],
  id: string,
  findDocuments: FindDocuments | undefined,
): Promise<readonly Buffer[]> {
  const documents = page.map(getDocument);
  if (isComplete(documents)) return documents;
  const absent = page.flatMap((row) => (getDocument(row) === null ? [String(row[id])] : []));
  const found = (await findDocuments?.(absent)) ?? [];
  let next = 0;
  // A document may have been replaced or deleted since its row was read; omit it.
  return documents.map((document) => document ?? found[next++] ?? null).filter((document) => document !== null);
}

function isComplete(documents: readonly (Buffer | null)[]): documents is readonly Buffer[] {
  return documents.every((document) => document !== null);
}
