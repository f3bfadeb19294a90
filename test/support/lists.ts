import { ContentEntity, GameContentEntity } from '../../src/features/content/content.entity.js';
import { ProfileEntity } from '../../src/features/profiles/profile.entity.js';
import type { EntityClass } from '../../src/database/statements.js';
import type { Order } from '../../src/database/keyset.js';
import { aContent, aProfile, liveGame, uniqueId } from './builders.js';
import type { TestService } from './service.js';
import { ownSql } from './sql-list.js';

/** Something that is listed: its ID and the date-time it is sorted by. */
export interface Listed {
  readonly id: string;
  readonly at: string | null;
}

/** A list on a platform of its own, so that all of them can be tried side by side. */
export interface ListUnderTest {
  readonly kind: 'profiles' | 'content' | 'profile_content' | 'game_content';
  readonly path: string;
  /** Puts items on the list, or moves those that are there. */
  readonly add: (service: TestService, items: readonly Listed[]) => Promise<void>;
  readonly remove: (service: TestService, ids: readonly string[]) => Promise<void>;
}

const removeFrom =
  <E extends object, I extends keyof E & string>(entity: EntityClass<E>, column: I) =>
  async (service: TestService, ids: readonly string[]): Promise<void> => {
    const keys = ids.map((id) => ({ [column]: id }) as Pick<E, I>);
    await ownSql(() => service.database.write((writer) => writer.remove(entity, [column], keys)));
  };

/** The four paged lists. The first two are all of a platform, so only one test of a file may use them at a time. */
export function listsUnderTest(): ListUnderTest[] {
  const [profile, game] = [uniqueId(), uniqueId()];
  return [
    {
      kind: 'profiles',
      path: '/platforms/short_platform/profiles',
      add: (service, items) =>
        service.load(
          'profiles',
          ...items.map(({ id, at }) => aProfile({ platform_id: 'short_platform', id, updated_at: at })),
        ),
      remove: removeFrom(ProfileEntity, 'id'),
    },
    {
      kind: 'content',
      path: '/platforms/photo_platform/content',
      add: (service, items) =>
        service.load(
          'content',
          ...items.map(({ id, at }) => aContent({ platform: 'photo_platform', content_id: id, created_at: at })),
        ),
      remove: removeFrom(ContentEntity, 'content_id'),
    },
    {
      kind: 'profile_content',
      path: `/platforms/video_platform/profiles/${profile}/content`,
      add: (service, items) =>
        service.load(
          'content',
          ...items.map(({ id, at }) =>
            aContent({ platform: 'video_platform', content_id: id, created_at: at, profile_id: profile }),
          ),
        ),
      remove: removeFrom(ContentEntity, 'content_id'),
    },
    {
      kind: 'game_content',
      path: `/platforms/live_platform/games/${game}/content`,
      add: (service, items) =>
        service.load(
          'content',
          ...items.map(({ id, at }) => aContent({ content_id: id, created_at: at, categories: [liveGame(game)] })),
        ),
      remove: removeFrom(GameContentEntity, 'content_id'),
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
