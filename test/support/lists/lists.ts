import { ContentEntity, GameContentEntity } from '../../../src/features/content/content.entity.js';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { CONTENT_LIST, GAME_CONTENT_LIST, PROFILE_CONTENT_LIST } from '../../../src/features/content/content.lists.js';
import { PROFILE_LIST } from '../../../src/features/profiles/profile.list.js';
import type { List } from '../../../src/http/paging/list-declaration.js';
import type { Order } from '../../../src/database/keyset.js';
import { aContent, aProfile, liveGame, uniqueId } from '../records/builders.js';
import { filterParameters, filterValues } from './list-cases.js';
import { present } from '../present.js';
import type { TestService } from '../service/test-service.js';
import { withoutSqlCheck } from '../sql/sql-list.js';

/** An item of a list: its ID and the date-time that it is sorted by. */
export interface ListedItem {
  readonly id: string;
  readonly at: string | null;
}

/** A list on its own platform, so that all lists can be tested concurrently. */
export interface ListUnderTest {
  readonly kind: 'profiles' | 'content' | 'profile_content' | 'game_content';
  readonly title: string;
  readonly path: string;
  /** Filters of every request. */
  readonly query: Readonly<Record<string, string>>;
  /** Members that these filters reveal. */
  readonly members: readonly string[];
  /** Adds or moves items. On a filtered list, it also adds items that do not match. */
  readonly add: (service: TestService, items: readonly ListedItem[]) => Promise<void>;
  readonly remove: (service: TestService, ids: readonly string[]) => Promise<void>;
}

/** Declaration and records of a list. */
interface Source {
  readonly list: List;
  readonly kind: ListUnderTest['kind'];
  readonly path: string;
  readonly imported: 'profiles' | 'content';
  readonly record: (item: ListedItem) => object;
}

const removeFrom =
  ({ entity, id }: List) =>
  async (service: TestService, ids: readonly string[]): Promise<void> => {
    const keys = ids.map((value) => ({ [id]: value }));
    await withoutSqlCheck(() => service.database.write((writer) => writer.remove(entity, [id as never], keys)));
  };

/**
 * Returns the four paged lists without filters. The first two hold all items of a platform, so only one test of a file
 * may use them at a time.
 */
export const listsUnderTest = (): ListUnderTest[] => sources().map((source) => withFilters(source, []));

/** Returns the lists with each declared combination of filters. */
export const filteredLists = (): ListUnderTest[] =>
  sources().flatMap((source) =>
    source.list.combinations.flatMap((combination) =>
      combination.length === 0 ? [] : [withFilters(source, combination)],
    ),
  );

function withFilters(source: Source, combination: readonly string[]): ListUnderTest {
  const { list, kind, path, imported, record } = source;
  const query = filterParameters(list, combination);
  const matching = Object.fromEntries(combination.map((name) => [memberOf(list, name), query[name]]));
  return {
    kind,
    title: [kind, ...Object.entries(query).map(([name, value]) => `${name}=${value}`)].join(' '),
    path,
    query,
    members: Object.keys(matching),
    add: (service, items) =>
      service.load(
        imported,
        ...items.flatMap((item, index) => {
          // Differs from the item in one of the filters and has its date, so only the filter excludes it.
          const others = combination.map((name) => {
            const values = filterValues(present(list.filters[name])).others;
            const other = { [memberOf(list, name)]: values[index % values.length] };
            return { ...record({ ...item, id: `${item.id}-not-${name}` }), ...matching, ...other };
          });
          return [{ ...record(item), ...matching }, ...others];
        }),
      ),
    remove: removeFrom(list),
  };
}

const memberOf = (list: List, name: string): string => present(list.filters[name]).member;

function sources(): Source[] {
  const [profile, game] = [uniqueId(), uniqueId()];
  return [
    {
      list: PROFILE_LIST,
      kind: 'profiles',
      path: '/platforms/short_platform/profiles',
      imported: 'profiles',
      record: ({ id, at }) => aProfile({ platform_id: 'short_platform', id, updated_at: at }),
    },
    {
      list: CONTENT_LIST,
      kind: 'content',
      path: '/platforms/photo_platform/content',
      imported: 'content',
      record: ({ id, at }) => aContent({ platform: 'photo_platform', content_id: id, created_at: at }),
    },
    {
      list: PROFILE_CONTENT_LIST,
      kind: 'profile_content',
      path: `/platforms/video_platform/profiles/${profile}/content`,
      imported: 'content',
      record: ({ id, at }) =>
        aContent({ platform: 'video_platform', content_id: id, created_at: at, profile_id: profile }),
    },
    {
      list: GAME_CONTENT_LIST,
      kind: 'game_content',
      path: `/platforms/live_platform/games/${game}/content`,
      imported: 'content',
      record: ({ id, at }) => aContent({ content_id: id, created_at: at, categories: [liveGame(game)] }),
    },
  ];
}

/** Removes every record, for tests of lists that hold all records. */
export async function removeAll({ database }: TestService): Promise<void> {
  for (const entity of [ProfileEntity, ContentEntity, GameContentEntity]) {
    await withoutSqlCheck(() => database.dataSource.createQueryBuilder().delete().from(entity).execute());
  }
}

/** Sorts items as documented: unknown values lowest, ties broken by the bytes of the ID in the same direction. */
export function sortedAsDocumented<T>(
  items: readonly T[],
  valueOf: (item: T) => string | number | null,
  idOf: (item: T) => string,
  order: Order,
): T[] {
  const ascending = [...items].sort((a, b) => {
    const [valueA, valueB] = [valueOf(a), valueOf(b)];
    if (valueA === valueB) return Buffer.compare(Buffer.from(idOf(a)), Buffer.from(idOf(b)));
    if (valueA === null || valueB === null) return valueA === null ? -1 : 1;
    return valueA < valueB ? -1 : 1;
  });
  return order === 'asc' ? ascending : ascending.reverse();
}

/** Returns the ID of an item of any list. */
export const idOf = (item: unknown): string => {
  const { id, content_id } = item as { id?: string; content_id?: string };
  return String(content_id ?? id);
};

/** IDs whose byte order differs from alphabetical, UTF-16 and numeric order. */
export const IDS_IN_BYTE_ORDER = ['10', '9', 'B', 'a', 'a ', 'b', 'é', '～', '😀'];
