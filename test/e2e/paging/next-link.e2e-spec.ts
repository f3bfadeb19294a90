import { beforeEach, describe, expect, it } from '@jest/globals';
import { Description } from '../../support/openapi/operations.js';
import { uniqueId } from '../../support/records/builders.js';
import { idOf, listsUnderTest, removeAll, type ListedItem } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const items = (): ListedItem[] =>
  Array.from({ length: 5 }, (_, index) => ({ id: uniqueId(), at: `2026-01-0${index + 1}T12:00:00.000Z` }));

/** Resolves the link as browsers and RFC 3986 do. */
function nextOf(path: string, link: unknown): string {
  const [, reference = ''] = /^<([^>]*)>; rel="next"$/.exec(String(link)) ?? [];
  const { pathname, search } = new URL(reference, `http://somewhere.example${path}`);
  return pathname + search;
}

describeService('`Link: rel="next"`', (service) => {
  beforeEach(() => removeAll(service()));

  describe.each(listsUnderTest())('of $kind', ({ path, add }) => {
    it.each(['order=asc&limit=2&start_date=2026-01-01', 'limit=%32'])(
      'leads through all pages with the same query: %s',
      async (query) => {
        const added = items();
        await add(service(), added);
        const first = await service().get(`${path}?${query}`);
        const toSecond = nextOf(path, first.headers.link);
        expect(toSecond).toBe(`${path}?${query}&cursor=${first.body.paging.next_cursor}`);
        const second = await service().get(toSecond);
        const toThird = nextOf(toSecond, second.headers.link);
        expect(toThird).toBe(`${path}?${query}&cursor=${second.body.paging.next_cursor}`);
        const third = await service().get(toThird);
        expect(third.headers).not.toHaveProperty('link');
        const walked = [first, second, third].flatMap(({ body }) => (body.payload as unknown[]).map(idOf));
        expect(walked.toSorted()).toEqual(added.map(({ id }) => id).toSorted());
      },
    );

    it('is present without a query, but not on HEAD, since a cursor tells a record that was not paid', async () => {
      await add(
        service(),
        Array.from({ length: 21 }, () => ({ id: uniqueId(), at: '2026-01-01T12:00:00.000Z' })),
      );
      const get = await service().get(path);
      expect(get.headers.link).toBe(`<?cursor=${get.body.paging.next_cursor}>; rel="next"`);
      const head = await service().request(path, { method: 'HEAD' });
      expect(head.headers.link).toBeUndefined();
    });
  });

  it('is described for exactly the lists with a cursor', async () => {
    const { body } = await service().get('/openapi.json');
    const withLink = (await Description.of(service())).operations.filter(
      ({ path, method }) => body.paths[path][method.toLowerCase()].responses[200].headers?.Link !== undefined,
    );
    expect(withLink.map(({ operationId }) => operationId).toSorted()).toEqual([
      'changes.list',
      'content.by_game',
      'content.by_profile',
      'content.list',
      'games.changes',
      'profiles.list',
    ]);
  });
});
