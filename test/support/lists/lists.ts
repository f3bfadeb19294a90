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
import { ownSql } from '../sql/sql-list.js';

/** Something that is listed: its ID and the date-time it is sorted by. */
export interface Listed {
  readonly id: string;
  readonly at: string | null;
}

/** A list on a platform of its own, so that all of them can be tried side by side. */
export interface ListUnderTest {
  readonly kind: 'profiles' | 'content' | 'profile_content' | 'game_content';
  readonly title: string;
  readonly path: string;
  /** The filters that are given with every request. */
  readonly query: Readonly<Record<string, string>>;
  /** The members that these filters reveal. */
  readonly members: readonly string[];
  /** Puts items on the list, or moves those that are there. Beside a filtered list it puts items that do not match. */
  readonly add: (service: TestService, items: readonly Listed[]) => Promise<void>;
  readonly remove: (service: TestService, ids: readonly string[]) => Promise<void>;
}

/** What a list is made of. */
interface Source {
  readonly list: List;
  readonly kind: ListUnderTest['kind'];
  readonly path: string;
  readonly imported: 'profiles' | 'content';
  readonly record: (item: Listed) => object;
}

const removeFrom =
  ({ entity, id }: List) =>
  async (service: TestService, ids: readonly string[]): Promise<void> => {
    const keys = ids.map((value) => ({ [id]: value }));
    await ownSql(() => service.database.write((writer) => writer.remove(entity, [id as never], keys)));
  };

/** The four paged lists without filters. The first two are all of a platform, so only one test of a file may use them
 * at a time. */
export const listsUnderTest = (): ListUnderTest[] => sources().map((source) => withFilters(source, []));

/** The lists with each declared combination of filters. */
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
          // Each differs from the item in one of the filters, and has its date: only the filter keeps it away.
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

/** Removes every record, for tests of lists that hold all there is. */
export async function removeAll({ database }: TestService): Promise<void> {
  for (const entity of [ProfileEntity, ContentEntity, GameContentEntity]) {
    await ownSql(() => database.dataSource.createQueryBuilder().delete().from(entity).execute());
  }
}

/** The documented order: unknown values lowest, ties by the bytes of the ID, both in one direction. */
export function inOrder<T>(
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

/** The ID of an item of any list. */
export const idOf = (item: unknown): string => {
  const { id, content_id } = item as { id?: string; content_id?: string };
  return String(content_id ?? id);
};

/** IDs whose order by bytes is neither that of any alphabet, nor of UTF-16, nor of numbers. */
export const IDS_IN_BYTE_ORDER = ['10', '9', 'B', 'a', 'a ', 'b', 'é', '～', '😀'];
