import { describe, expect, it } from '@jest/globals';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { FEED_KINDS, type FeedKind } from '../../../src/features/changes/feeds.js';
import { Mirror, feedPath } from '../../support/changes/mirror.js';
import { storedRecords } from '../../support/changes/stored-records.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { aContent, aGame, aProfile, uniqueId } from '../../support/records/builders.js';
import { AUDIENCE_ANALYSIS, CREATOR_ANALYSIS, sampleOf } from '../../support/records/reference-shapes.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

const P = 'live_platform';

/** Loads a document about a creator. */
async function loadAbout(service: TestService, kind: FeedKind, id: string, date: string | null): Promise<void> {
  const owner = { platform_id: P, profile_id: id };
  if (kind === 'analysis')
    await service.load(kind, { ...owner, updated_at: date, analysis: sampleOf(CREATOR_ANALYSIS) });
  else if (kind === 'audience')
    await service.load(kind, { ...owner, last_updated_at: date, audience: sampleOf(AUDIENCE_ANALYSIS) });
  else if (kind === 'emails') await service.load(kind, { ...owner, email: 'ada@example.com', updated_at: date });
  else throw new Error(`not about a creator: ${kind}`);
}

const linkTo = (id: string) => ({ id, name: 'Ada', platform_id: P, followers: 5 });

describeService('the feed of changes', (service) => {
  /** A mirror that is at the end of the feed. */
  async function currentMirror(kind: string): Promise<Mirror> {
    const mirror = new Mirror(feedPath(kind));
    await mirror.follow(service());
    return mirror;
  }

  describe('items', () => {
    it.each([...FEED_KINDS])('%s: an item has what the single-record endpoint has as payload', async (kind) => {
      const mirror = await currentMirror(kind);
      const id = await loadOneOfEach(service());
      const [item, ...others] = await mirror.follow(service());
      expect(others).toEqual([]);
      const profile = `/platforms/${P}/profiles/${id}`;
      const paths = { profiles: profile, content: `/platforms/${P}/content/${id}`, emails: `${profile}/email` };
      const path = kind in paths ? paths[kind as keyof typeof paths] : `${profile}/${kind}`;
      const { body } = await service().get(path);
      expect(item).toMatchObject({ op: 'upsert', id, record: body.payload });
      expect(Math.abs(Date.parse(String(item?.changed_at)) - Date.now())).toBeLessThan(60_000);
      expect(Object.keys(item ?? {}).includes('updated_at')).toBe(['analysis', 'audience', 'emails'].includes(kind));
    });

    it('`record` of games is the Game with `total_rating_count`', async () => {
      const mirror = await currentMirror('games');
      const game = aGame();
      await service().load('games', game);
      expect(await mirror.follow(service())).toMatchObject([{ op: 'upsert', id: game.id, record: game }]);
      await service().load('games', game);
      expect(await mirror.follow(service())).toEqual([]);
      await service().load('games', { ...game, total_rating_count: 11 });
      expect(await mirror.follow(service())).toMatchObject([{ id: game.id, record: { total_rating_count: 11 } }]);
    });

    it.each(['analysis', 'audience', 'emails'] as const)(
      '%s: a change of the date alone is an upsert; the same line again is no change',
      async (kind) => {
        const id = uniqueId();
        await service().load('profiles', aProfile({ id }));
        await loadAbout(service(), kind, id, '2026-01-01T00:00:00.000Z');
        const mirror = await currentMirror(kind);
        await loadAbout(service(), kind, id, '2026-01-01T00:00:00.000Z');
        expect(await mirror.follow(service())).toEqual([]);
        await loadAbout(service(), kind, id, null);
        expect(await mirror.follow(service())).toMatchObject([{ op: 'upsert', id, updated_at: null }]);
        await loadAbout(service(), kind, id, '2026-01-02T00:00:00.000Z');
        expect(await mirror.follow(service())).toMatchObject([{ id, updated_at: '2026-01-02T00:00:00.000Z' }]);
      },
    );

    it('a record changed often is there once, at its last change; the same bytes again are no change', async () => {
      const [a, b] = [aProfile({ name: 'one' }), aProfile()];
      const mirror = await currentMirror('profiles');
      await service().load('profiles', a, b);
      await service().load('profiles', { ...a, name: 'two' });
      await service().load('profiles', { ...a, name: 'three' });
      await service().load('profiles', b, { ...a, name: 'three' });
      const items = await mirror.follow(service());
      expect(items.map(({ id, record }) => [id, record.name])).toEqual([
        [b.id, b.name],
        [a.id, 'three'],
      ]);
    });

    it('content: an unchanged item keeps its games, a changed one moves', async () => {
      const mirror = await currentMirror('content');
      const content = aContent();
      await service().load('content', content);
      await service().load('content', content);
      await service().load('content', { ...content, created_at: '2026-02-01T00:00:00.000Z' });
      const items = await mirror.follow(service());
      expect(items.map(({ id, record }) => [id, record.created_at])).toEqual([
        [content.content_id, '2026-02-01T00:00:00.000Z'],
      ]);
    });
  });

  describe('deletions', () => {
    it('`forget` deletes in every kind that held something, and an import after `--undo` is an upsert', async () => {
      const mirrors = await Promise.all(FEED_KINDS.map(currentMirror));
      const followAll = () => Promise.all(mirrors.map((mirror) => mirror.follow(service())));
      const id = await loadOneOfEach(service());
      await followAll();
      await forgetCreator(service().database, P, id, Date.now());
      for (const items of await followAll()) expect(items).toMatchObject([{ op: 'delete', id, record: null }]);
      // Nothing is stored any more, so a second time deletes nothing.
      await forgetCreator(service().database, P, id, Date.now());
      expect((await followAll()).flat()).toEqual([]);
      await undoForget(service().database, P, id);
      await service().load('profiles', aProfile({ id }));
      expect((await followAll()).flat()).toMatchObject([{ op: 'upsert', id }]);
      for (const [index, kind] of FEED_KINDS.entries()) {
        expect(mirrors[index]?.records).toEqual(await storedRecords(service(), kind));
        expect((await new Mirror(feedPath(kind)).follow(service())).filter((item) => item.id === id)).toHaveLength(1);
      }
    });

    it('links that `forget` takes away are an upsert, the last one a delete', async () => {
      const [target, fan, other] = [uniqueId(), uniqueId(), uniqueId()];
      await service().load('profiles', aProfile({ id: target }));
      await service().load('socials', { platform_id: P, profile_id: fan, links: [linkTo(target)] });
      await service().load('socials', { platform_id: P, profile_id: other, links: [linkTo(target), linkTo(fan)] });
      const mirror = await currentMirror('socials');
      await forgetCreator(service().database, P, target, Date.now());
      const items = await mirror.follow(service());
      expect(items).toHaveLength(2);
      expect(items).toContainEqual(expect.objectContaining({ op: 'delete', id: fan, record: null }));
      expect(items).toContainEqual(expect.objectContaining({ op: 'upsert', id: other, record: [linkTo(fan)] }));
    });
  });

  describe('paging', () => {
    it('`from=now` gives no items and the cursor of now', async () => {
      await service().load('profiles', aProfile());
      const { body } = await service().get(`${feedPath('profiles')}&from=now`);
      expect([body.payload, body.paging.has_more]).toEqual([[], false]);
      const later = aProfile();
      await service().load('profiles', later);
      const next = await service().get(`${feedPath('profiles')}&cursor=${body.paging.next_cursor}`);
      expect(next.body.payload).toMatchObject([{ op: 'upsert', id: later.id }]);
    });

    it('pages of any size hold every record once, in the same order', async () => {
      await service().load('profiles', ...Array.from({ length: 7 }, () => aProfile()));
      const whole = (await new Mirror(feedPath('profiles')).follow(service())).map(({ id }) => id);
      expect(new Set(whole).size).toBe(whole.length);
      const mirror = new Mirror(feedPath('profiles'));
      const ids: string[] = [];
      for (let hasMore = true; hasMore;) {
        const page = await mirror.readPage(service(), 3);
        ids.push(...page.items.map(({ id }) => id));
        hasMore = page.hasMore;
      }
      expect(ids).toEqual(whole);
    });

    it('a feed without changes keeps its cursor, so polling it gives 304, which is free', async () => {
      const { cursor } = await currentMirror('profiles');
      const path = `${feedPath('profiles')}&cursor=${cursor}`;
      const { headers, body } = await service().get(path);
      expect([body.payload, body.paging]).toEqual([[], { limit: 100, next_cursor: cursor, has_more: false }]);
      expect(headers.link).toBeUndefined();
      const again = await service().get(path, { 'if-none-match': String(headers.etag) });
      expect([again.status, again.headers['x-quota-units']]).toEqual([304, '0']);
    });

    it('answers HEAD without a Link, and GET with one where more changes are waiting', async () => {
      await service().load('profiles', aProfile(), aProfile());
      const path = feedPath('profiles').replace('limit=100', 'limit=1');
      const { status, headers } = await service().request(path, { method: 'HEAD' });
      expect([status, headers['x-quota-units'], headers['x-credits']]).toEqual([200, '1', '0']);
      expect(headers.link).toBeUndefined();
      const { link } = (await service().get(path)).headers;
      expect(link).toMatch(/^<\?kind=profiles&limit=1&cursor=[\w-]+>; rel="next"$/);
    });
  });

  describe('wrong parameters', () => {
    it.each([
      ['', 'Invalid platform or missing required parameter'],
      ['?kind=games', `kind must be one of ${FEED_KINDS.join(', ')}`],
      ['?kind=profiles&limit=0', 'limit must be an integer between 1 and 100'],
      ['?kind=profiles&limit=101', 'limit must be an integer between 1 and 100'],
      ['?kind=profiles&from=then', 'from must be one of now'],
      ['?kind=profiles&cursor=abc', 'Invalid cursor'],
      ['?kind=profiles&sort=id', 'Unknown parameter: sort'],
    ])('%s: 400 "%s"', async (query, message) => {
      const { status, body } = await service().get(`/platforms/${P}/changes${query}`);
      expect([status, body.error.message]).toEqual([400, message]);
    });

    it('a cursor of another kind or platform, or one given with `from`: 400', async () => {
      const { cursor } = await currentMirror('profiles');
      const statusOf = async (path: string) => {
        const { status, body } = await service().get(`${path}&cursor=${cursor}`);
        return [status, body.error?.code];
      };
      expect(await statusOf(feedPath('content'))).toEqual([400, 'invalid_cursor']);
      expect(await statusOf(feedPath('profiles', 'video_platform'))).toEqual([400, 'invalid_cursor']);
      expect(await statusOf(feedPath('games'))).toEqual([400, 'invalid_cursor']);
      expect(await statusOf(`${feedPath('profiles')}&from=now`)).toEqual([400, 'conflicting_parameters']);
      const list = await service().get(`/platforms/${P}/profiles?cursor=${cursor}`);
      expect(list.body.error.code).toBe('invalid_cursor');
    });
  });
});
