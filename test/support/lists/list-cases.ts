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

/** A statement as the service sent it. */
export interface Sent {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** A database that writes down what it is asked to read. */
export function recording(database: Database): { recorded: Sent[]; database: Database } {
  const recorded: Sent[] = [];
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

/** One list in one order with one set of parameters. */
export interface ListCase {
  readonly list: List;
  /** What sets the case apart, for the title of a test. */
  readonly title: string;
  readonly sort: string;
  readonly order: Order;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Every column that the statement compares for equality. */
  readonly equal: readonly string[];
}

const ORDERS: readonly Order[] = ['asc', 'desc'];
const DATES = { start_date: '2026-01-02', end_date: '2026-12-30' };

/** Bounds that leave nearly all of the rows of `list-data.ts`. */
const NUMBERS = { min: 10, max: 290 };

/** Every list × sort × order × combination of filters × bounds that is declared. */
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

/** The index of a case by its columns; `PRIMARY` is MySQL's name of the primary key. */
export function indexOfCase({ database }: TestService, { list, sort, equal }: ListCase): string {
  const { primaryColumns, indices } = database.dataSource.getMetadata(list.entity);
  const wanted = [...equal, sort, list.id].join();
  const namesOf = (columns: readonly { readonly propertyName: string }[]) =>
    columns.map(({ propertyName }) => propertyName).join();
  if (namesOf(primaryColumns) === wanted) return 'PRIMARY';
  return present(indices.find(({ columns }) => namesOf(columns) === wanted)).name;
}

/** The bounds that a sort may have, each end alone and both together. */
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

/** Values of a filter by equality, as a record has them. */
export interface FilterValues {
  /** What the filter is asked for, and the value of records that it lets through. */
  readonly matching: string;
  /** Values of records that it leaves out. */
  readonly others: readonly (string | null)[];
}

/** The values that tests give a filter. Texts differ in case, in a trailing space, and by not fitting their column. */
export function filterValues({ values, maxBytes, stored }: ListFilter): FilterValues {
  if (values === null) return { matching: 'Ab', others: ['ab', 'Ab ', null, 'A', 'x'.repeat(maxBytes + 1)] };
  const [matching = '', other = ''] = values.filter((value) => stored(value) !== null);
  return { matching, others: [other] };
}

/** The query parameters of a combination of filters. */
export const filterParameters = (list: List, combination: readonly string[]): Record<string, string> =>
  Object.fromEntries(combination.map((name) => [name, filterValues(present(list.filters[name])).matching]));

/** The members of the `index`th record: half the records match the first filter, half of these the second, and so on. */
export const filteredMembers = (list: List, index: number): Record<string, string | null> =>
  Object.fromEntries(
    Object.values(list.filters).map((filter, nth) => {
      const { matching, others } = filterValues(filter);
      const isMatching = Math.floor(index / 2 ** nth) % 2 === 0;
      return [filter.member, isMatching ? matching : (others[index % others.length] ?? null)];
    }),
  );

/** Reads a page as the service does. `profile` and `game` are the creator and game of the narrower lists. */
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
  return new PagedList(database, list).page(
    list.scope.map((column) => present(scopes[column])),
    request as Parameters<PagedList<List>['page']>[1],
    { hidden: null },
  );
}
