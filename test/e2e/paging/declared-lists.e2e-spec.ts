import { beforeAll, describe, expect, it } from '@jest/globals';
import { ContentEntity } from '../../../src/features/content/content.entity.js';
import { filterKindCode } from '../../../src/features/content/content-kind.js';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { declareList } from '../../../src/http/paging/list-declaration.js';
import { PagedList } from '../../../src/http/paging/paged-list.js';
import { platformCode } from '../../../src/model/platforms.js';
import { aContent, aProfile, uniqueId } from '../../support/records/builders.js';
import { filteredLists, idOf, listsUnderTest } from '../../support/lists/lists.js';
import { present } from '../../support/present.js';
import { describeService } from '../../support/service/test-service.js';
import { skipSqlCheck } from '../../support/sql/sql-list.js';

skipSqlCheck();

const description = 'Only some';

/** Lists that the service does not have, over its indexes. */
const CREATORS = declareList({
  name: 'creators',
  entity: ProfileEntity,
  scope: ['platform'],
  id: 'id',
  sorts: { followers: 'number', updated_at: 'date' },
  ranges: { min_followers: { description }, max_followers: { description } },
});

const FILTERS = {
  profile_id: { description },
  item_type: { description, column: 'kind', member: 'type', values: ['stream', 'video'], stored: filterKindCode },
} as const;

const ITEMS = declareList({
  name: 'items',
  entity: ContentEntity,
  scope: ['platform'],
  id: 'content_id',
  sorts: { created_at: 'date' },
  filters: FILTERS,
  combinations: [['profile_id'], ['item_type'], ['profile_id', 'item_type']],
});

/** The same list without an index for both filters. */
const APART = declareList({
  name: 'items',
  entity: ContentEntity,
  scope: ['platform'],
  id: 'content_id',
  sorts: { created_at: 'date' },
  filters: FILTERS,
  combinations: [['profile_id'], ['item_type']],
});

const LIVE = [platformCode('live_platform')];
const page = { order: 'asc', limit: 50 } as const;
const SEES_ALL = { hidden: null };
const idsOf = ({ documents }: { readonly documents: readonly Buffer[] }) =>
  documents.map((document) => idOf(JSON.parse(String(document))));

describeService('a declared list', (service) => {
  const creators = () => new PagedList(service().database, CREATORS);
  const items = () => new PagedList(service().database, ITEMS);

  describe('filters by range', () => {
    beforeAll(() =>
      service().load(
        'profiles',
        ...[null, -1, 0, 5, 5, 9, Number.MAX_SAFE_INTEGER].map((followers, index) =>
          aProfile({ id: `creator-${index}`, statistics: { followers, views_estimated: null } }),
        ),
      ),
    );

    const followersOf = (bounds: { readonly min_followers?: number; readonly max_followers?: number }) =>
      creators()
        .readPage(LIVE, { ...page, sort: 'followers', ...bounds }, SEES_ALL)
        .then(idsOf)
        .then((ids) => ids.map((id) => Number(id.slice('creator-'.length))));

    it.each([
      ['neither end', {}, [0, 1, 2, 3, 4, 5, 6]],
      ['the lower end', { min_followers: 5 }, [3, 4, 5, 6]],
      ['the upper end, without unknown values', { max_followers: 5 }, [1, 2, 3, 4]],
      ['both ends, inclusive', { min_followers: 0, max_followers: 9 }, [2, 3, 4, 5]],
      ['both ends on one value', { min_followers: 5, max_followers: 5 }, [3, 4]],
      ['zero', { min_followers: 0, max_followers: 0 }, [2]],
      ['no value at all', { min_followers: 6, max_followers: 8 }, []],
      ['the largest integer', { min_followers: Number.MAX_SAFE_INTEGER }, [6]],
    ])('bounded by %s', async (_, bounds, expected) => {
      expect(await followersOf(bounds)).toEqual(expected);
    });

    it('continue from a cursor, within bounds that may change', async () => {
      const first = { ...page, sort: 'followers', limit: 2, order: 'desc' } as const;
      const { nextCursor, ...start } = await creators().readPage(LIVE, { ...first, max_followers: 9 }, SEES_ALL);
      expect(idsOf(start)).toEqual(['creator-5', 'creator-4']);
      const cursor = present(nextCursor);
      const next = await creators().readPage(LIVE, { ...first, cursor, min_followers: 0 }, SEES_ALL);
      expect([idsOf(next), next.nextCursor]).toEqual([['creator-3', 'creator-2'], null]);
    });

    it('400: under another sort, which no index bounds', async () => {
      await expect(
        creators().readPage(LIVE, { ...page, sort: 'updated_at', min_followers: 1 }, SEES_ALL),
      ).rejects.toThrow('min_followers needs sort=followers');
    });
  });

  describe('filters by equality', () => {
    beforeAll(() =>
      service().load(
        'content',
        aContent({ content_id: 'a', profile_id: 'Ada', type: 'stream' }),
        aContent({ content_id: 'b', profile_id: 'Ada', type: 'video' }),
        aContent({ content_id: 'c', profile_id: 'Ada ', type: 'stream' }),
        aContent({ content_id: 'd', profile_id: 'ada', type: 'stream' }),
        aContent({ content_id: 'e', profile_id: null, type: 'long' }),
        aContent({ content_id: 'f', profile_id: 'Ada', type: 'stream', platform: 'video_platform' }),
      ),
    );
    const found = async (filters: { readonly profile_id?: string; readonly item_type?: string }) =>
      idsOf(await items().readPage(LIVE, { ...page, sort: 'created_at', ...filters }, SEES_ALL));

    it('compare byte by byte, and never match unknown values', async () => {
      expect(await found({ profile_id: 'Ada' })).toEqual(['a', 'b']);
      expect(await found({ profile_id: 'Ada ' })).toEqual(['c']);
      expect(await found({ profile_id: 'null' })).toEqual([]);
      expect(await found({})).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    it('combine in any order', async () => {
      expect(await found({ profile_id: 'Ada', item_type: 'video' })).toEqual(['b']);
      expect(await found({ item_type: 'stream', profile_id: 'Ada' })).toEqual(['a']);
      expect(await found({ item_type: 'video' })).toEqual(['b', 'e']);
    });

    it('400: undeclared combinations of filters', async () => {
      const both = { ...page, sort: 'created_at', profile_id: 'Ada', item_type: 'video' } as const;
      const apart = new PagedList(service().database, APART);
      await expect(apart.readPage(LIVE, both, SEES_ALL)).rejects.toThrow(
        expect.objectContaining({
          status: 400,
          code: 'conflicting_parameters',
          message: 'profile_id and item_type cannot be combined',
        }),
      );
    });
  });

  it('stops the start when an index of a combination or sort is missing, or a filter has no combination', () => {
    const list = { name: 'x', entity: ProfileEntity, scope: ['platform'], id: 'id' } as const;
    const filters = { handle: { description } };
    const sorts = { followers: 'number' } as const;
    const byHandle = declareList({ ...list, sorts, filters, combinations: [['handle']] });
    expect(() => new PagedList(service().database, byHandle)).toThrow(
      'profiles has no index of (platform,handle,followers,id)',
    );
    const byId = declareList({ ...list, sorts: { ...sorts, id: 'number' } });
    expect(() => new PagedList(service().database, byId)).toThrow('profiles has no index of (platform,id,id)');
    expect(() => declareList({ ...list, sorts, filters })).toThrow('x: no combination has the filter handle');
    expect(() => declareList({ ...list, sorts, filters: { handel: { description } } as never })).toThrow('handel');
  });

  describe('does not reveal what a policy hides', () => {
    it('400: a filter by a hidden member; other filters are served', async () => {
      const hidden = new Set(['type']);
      const request = { ...page, sort: 'created_at' } as const;
      await expect(items().readPage(LIVE, { ...request, item_type: 'video' }, { hidden })).rejects.toThrow(
        expect.objectContaining({
          status: 400,
          code: 'member_hidden',
          parameter: 'item_type',
          message: 'type is hidden from this key',
        }),
      );
      expect(idsOf(await items().readPage(LIVE, { ...request, profile_id: 'Ada' }, { hidden }))).toEqual(['a', 'b']);
    });

    // Written directly: `keys policy` hides only members that are marked as hideable.
    const keyWithout = async (member: string): Promise<string> => {
      const { id, key } = await service().newKey(1_000_000);
      await service().keys.setPolicy(id, member);
      return key;
    };

    it.each(listsUnderTest())('400: a hidden sort of $title, also as its default', async ({ path, kind, add }) => {
      await add(service(), [{ id: uniqueId(), at: null }]);
      const sort = kind === 'profiles' ? 'updated_at' : 'created_at';
      const headers = { 'x-api-key': await keyWithout(sort) };
      for (const query of ['', `?sort=${sort}`, '?start_date=2026-01-01', '?cursor=x']) {
        const { status, body } = await service().get(`${path}${query}`, headers);
        expect([status, body.error?.message]).toEqual([400, `${sort} is hidden from this key`]);
      }
      expect((await service().get(path, { 'x-api-key': await keyWithout('title') })).status).toBe(200);
    });

    it('200: sorts other than the hidden one', async () => {
      const headers = { 'x-api-key': await keyWithout('followers') };
      const path = '/platforms/live_platform/profiles';
      expect((await service().get(path, headers)).status).toBe(200);
      expect((await service().get(`${path}?sort=followers`, headers)).body.error.message).toBe(
        'followers is hidden from this key',
      );
    });

    it.each(filteredLists())('400: a hidden filter of $title', async ({ path, query, members, add }) => {
      await add(service(), [{ id: uniqueId(), at: null }]);
      for (const member of members) {
        const headers = { 'x-api-key': await keyWithout(member) };
        const answer = await service().get(`${path}?${new URLSearchParams(query).toString()}`, headers);
        expect([answer.status, answer.body.error?.message]).toEqual([400, `${member} is hidden from this key`]);
      }
    });
  });
});
