import { ContentQueries } from '../../src/features/content/content.queries.js';
import type { Database } from '../../src/database/database.js';
import type { Select } from '../../src/database/statements.js';
import type { Order } from '../../src/database/keyset.js';
import type { Page } from '../../src/http/paging/page.js';
import { PROFILE_SORTS } from '../../src/features/profiles/profiles.requests.js';
import { ProfilesQueries } from '../../src/features/profiles/profiles.queries.js';

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

/** One list in one order with one set of filters. */
export interface ListCase {
  readonly list: 'profiles' | 'content' | 'profile_content' | 'game_content';
  readonly sort: (typeof PROFILE_SORTS)[number] | 'created_at';
  readonly order: Order;
  readonly kind: 'all' | 'video';
  readonly bounds: 'none' | 'start' | 'end' | 'both';
  /** Named as in the entity; `PRIMARY` is MySQL's name of the primary key. */
  readonly index: string;
}

const ORDERS: readonly Order[] = ['asc', 'desc'];
const BOUNDS = ['none', 'start', 'end', 'both'] as const;

/** Every list × sort × order × filter that there is. */
export function listCases(): ListCase[] {
  const profiles = PROFILE_SORTS.flatMap((sort) =>
    ORDERS.flatMap((order) =>
      (sort === 'followers' ? (['none'] as const) : BOUNDS).map((bounds): ListCase => ({
        list: 'profiles',
        sort,
        order,
        kind: 'all',
        bounds,
        index: `profiles_by_${sort}`,
      })),
    ),
  );
  const indexes = {
    content: { all: 'PRIMARY', video: 'content_by_kind' },
    profile_content: { all: 'content_by_profile', video: 'content_by_profile_kind' },
    game_content: { all: 'PRIMARY', video: 'game_content_by_kind' },
  } as const;
  const content = (['content', 'profile_content', 'game_content'] as const).flatMap((list) =>
    (['all', 'video'] as const).flatMap((kind) =>
      ORDERS.flatMap((order) =>
        BOUNDS.map((bounds): ListCase => ({
          list,
          sort: 'created_at',
          order,
          kind,
          bounds,
          index: indexes[list][kind],
        })),
      ),
    ),
  );
  return [...profiles, ...content];
}

/** Asks the service's own queries for a page. `profile` and `game` are the creator and game of the narrower lists. */
export function readList(
  database: Database,
  { list, sort, order, kind, bounds }: ListCase,
  { cursor, limit, profile, game }: { cursor?: string; limit: number; profile: string; game: string },
): Promise<Page> {
  const request = {
    order,
    limit,
    content_type: kind,
    ...(cursor === undefined ? {} : { cursor }),
    ...(bounds === 'start' || bounds === 'both' ? { start_date: '2026-01-02' } : {}),
    ...(bounds === 'end' || bounds === 'both' ? { end_date: '2026-12-30' } : {}),
  };
  if (list === 'profiles') {
    if (sort === 'created_at') throw new Error('profiles have no such sort');
    return new ProfilesQueries(database).list('live_platform', { ...request, sort });
  }
  const content = new ContentQueries(database);
  const dated = { ...request, sort: 'created_at' };
  if (list === 'content') return content.list('live_platform', dated);
  return list === 'profile_content'
    ? content.listOfProfile('live_platform', profile, dated)
    : content.listOfGame('live_platform', game, dated);
}
