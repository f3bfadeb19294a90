import type { Database } from '../../../src/database/database.js';
import type { Order } from '../../../src/database/keyset.js';
import type { Select } from '../../../src/database/statements.js';
import { CONTENT_LIST, GAME_CONTENT_LIST, PROFILE_CONTENT_LIST } from '../../../src/features/content/content.lists.js';
import { PROFILE_LIST } from '../../../src/features/profiles/profile.list.js';
import type { List, ListFilter } from '../../../src/http/paging/list-declaration.js';
import { PagedList, type Page } from '../../../src/http/paging/paged-list.js';
import { platformCode } from '../../../src/model/platforms.js';
import { present } from '../present.js';
import type { TestService } from '../service/test-service.js';

/** Every declared list. */
const LISTS: readonly List[] = [PROFILE_LIST, CONTENT_LIST, PROFILE_CONTENT_LIST, GAME_CONTENT_LIST];

/** A statement that the service sent. */
export interface SentStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Wraps a database and records its reads. */
export function recording(database: Database): { recorded: SentStatement[]; database: Database } {
  const recorded: SentStatement[] = [];
  const proxy = new Proxy(database, {
    get(target, member) {
      if (member === 'all') {
        return (statement: Select<unknown>, values: readonly unknown[]) => {
          recorded.push({ sql: statement.sql, values });
          return target.all(statement, values);
        };
      }
      return Reflect.get(target, member) as unknown;
    },
  });
  return { recorded, database: proxy };
}

/** A list in one order with one set of parameters. */
export interface ListCase {
  readonly list: List;
  /** Distinguishes the case in the title of a test. */
  readonly title: string;
  readonly sort: string;
  readonly order: Order;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Columns that the statement compares for equality. */
  readonly equal: readonly string[];
}

const ORDERS: readonly Order[] = ['asc', 'desc'];
const DATES = { start_date: '2026-01-02', end_date: '2026-12-30' };

/** Bounds that include nearly all rows of `list-data.ts`. */
const NUMBERS = { min: 10, max: 290 };

/** Returns every declared combination of list, sort, order, filters and bounds. */
export function listCases(): ListCase[] {
  return LISTS.flatMap((list) =>
    list.combinations.flatMap((combination) =>
      Object.keys(list.sorts).flatMap((sort) =>
        ORDERS.flatMap((order) =>
          boundsOf(list, sort).map((bounds): ListCase => {
            const filters = filterParameters(list, combination);
            const shown = Object.entries({ ...filters, ...bounds }).map(([name, value]) => `${name}=${value}`);
            return {
              list,
              title: `${list.name} by ${sort} ${order}${shown.map((text) => `, ${text}`).join('')}`,
              sort,
              order,
              parameters: { ...filters, ...bounds },
              equal: [...list.scope, ...combination.map((name) => present(list.filters[name]).column)],
            };
          }),
        ),
      ),
    ),
  );
}

/** Returns the index that a case must use, by its columns; `PRIMARY` is the primary key in MySQL. */
export function indexOfCase({ database }: TestService, { list, sort, equal }: ListCase): string {
  const { primaryColumns, indices } = database.dataSource.getMetadata(list.entity);
  const wanted = [...equal, sort, list.id].join();
  const namesOf = (columns: readonly { readonly propertyName: string }[]) =>
    columns.map(({ propertyName }) => propertyName).join();
  if (namesOf(primaryColumns) === wanted) return 'PRIMARY';
  return present(indices.find(({ columns }) => namesOf(columns) === wanted)).name;
}

/** Returns the bounds that a sort accepts: each end alone and both together. */
function boundsOf(list: List, sort: string): ListCase['parameters'][] {
  const ends: ListCase['parameters'] =
    list.sorts[sort] === 'date'
      ? DATES
      : Object.fromEntries(
          Object.entries(list.ranges)
            .filter(([, range]) => range.sort === sort)
            .map(([name, { end }]) => [name, NUMBERS[end]]),
        );
  const alone = Object.entries(ends).map(([name, value]) => ({ [name]: value }));
  return [{}, ...alone, ...(alone.length > 1 ? [ends] : [])];
}

/** Values of a filter by equality, as records have them. */
export interface FilterValues {
  /** Value of the filter, and of records that match it. */
  readonly matching: string;
  /** Values of records that do not match. */
  readonly others: readonly (string | null)[];
}

/** Returns test values of a filter. Texts differ in case, in a trailing space, and in exceeding their column. */
export function filterValues({ values, maxBytes, stored }: ListFilter): FilterValues {
  if (values === null) return { matching: 'Ab', others: ['ab', 'Ab ', null, 'A', 'x'.repeat(maxBytes + 1)] };
  const [matching = '', other = ''] = values.filter((value) => stored(value) !== null);
  return { matching, others: [other] };
}

/** Returns the query parameters of a combination of filters. */
export const filterParameters = (list: List, combination: readonly string[]): Record<string, string> =>
  Object.fromEntries(combination.map((name) => [name, filterValues(present(list.filters[name])).matching]));

/**
 * Returns the members of the `index`th record: half the records match the first filter, half of these the second, and
 * so on.
 */
export const filteredMembers = (list: List, index: number): Record<string, string | null> =>
  Object.fromEntries(
    Object.values(list.filters).map((filter, nth) => {
      const { matching, others } = filterValues(filter);
      const isMatching = Math.floor(index / 2 ** nth) % 2 === 0;
      return [filter.member, isMatching ? matching : (others[index % others.length] ?? null)];
    }),
  );

/** Reads a page as the service does, for the creator `profile` and the game `game`. */
export function readList(
  database: Database,
  { list, sort, order, parameters }: ListCase,
  { cursor, limit, profile, game }: { cursor?: string; limit: number; profile: string; game: string },
): Promise<Page> {
  const scopes: Record<string, string | number> = {
    platform: platformCode('live_platform'),
    profile_id: profile,
    game_id: game,
  };
  const request = { sort, order, limit, ...parameters, ...(cursor === undefined ? {} : { cursor }) };
  return new PagedList(database, list).readPage(
    list.scope.map((column) => present(scopes[column])),
    request as Parameters<PagedList<List>['readPage']>[1],
    { hidden: null },
  );
}
