import { describe, expect, it } from '@jest/globals';
import { runForJson } from '../../support/service/command.js';
import { aContent, aProfile, liveGame, uniqueId } from '../../support/records/builders.js';
import { ANALYSIS } from '../../support/openapi/operations.js';
import type { SearchBody } from '../../support/search/oracle.js';
import { describeService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const PATH = '/platforms/live_platform/profiles/search';

describeService('search for creators', (service) => {
  const post = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
    await service().untilSearchable();
    return service().post(PATH, body, headers);
  };
  const found = async (body: SearchBody): Promise<string[]> => {
    const { status, body: answer } = await post(body);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)}`);
    return answer.payload.map(({ id }: { id: string }) => id);
  };
  /** Loads a creator whose description has a word that no other has. @returns the ID, which is that word */
  const load = async (members: Parameters<typeof aProfile>[0] = {}): Promise<string> => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ ...members, id, description: `only ${id}` }));
    return id;
  };

  it('finds a creator who was just imported', async () => {
    const id = await load();
    expect(await found({ text: id })).toEqual([id]);
  });

  it('finds a creator by words of handle, display name and description together', async () => {
    const word = `w${uniqueId()}`;
    const profile = aProfile({ name: `${word}_tv`, display_name: 'Ünique Näme', description: 'Half-Life runs' });
    await service().load('profiles', profile);
    expect(await found({ text: `${word.toUpperCase()} uniq halfli` })).toEqual([profile.id]);
    expect(await found({ text: `${word} half-life runs na` })).toEqual([profile.id]);
    expect(await found({ text: `${word} other` })).toEqual([]);
  });

  it.each([
    ['a long word', `x${'y'.repeat(40)}`],
    ['an address', 'https://www.youtube.example/channel/UC'],
    ['a long text in a script without spaces', `ゲーム${'実況配信'.repeat(8)}`],
    ['letters of two UTF-16 units', `a${'\u{20000}'.repeat(14)}`],
  ])('compares %s as a whole, and counts only those who have it', async (_what, beginning) => {
    const own = `${beginning}${uniqueId()}`;
    const profile = aProfile({ description: own });
    await service().load('profiles', profile, aProfile({ description: `${beginning}other${uniqueId()}` }));
    const { body } = await post({ text: own, count: true });
    expect([body.payload.map(({ id }: { id: string }) => id), body.meta.count.value]).toEqual([[profile.id], 1]);
  });

  it('finds a creator by the first letters of a long text in a script without spaces', async () => {
    const id = uniqueId();
    const letters = Array.from({ length: 14 }, (_, at) => String.fromCodePoint(0x20000 + at)).join('');
    await service().load('profiles', aProfile({ id, description: `${id}a${letters}` }));
    expect(await found({ text: `${id}a${letters.slice(0, 24)}` })).toEqual([id]);
  });

  it('finds nothing by a text without letters and digits', async () => {
    await load();
    const { body } = await post({ text: '!?', count: true, facets: ['language'] });
    expect([body.payload, body.meta.count, body.meta.facets]).toEqual([
      [],
      { value: 0, relation: 'eq' },
      { language: [] },
    ]);
  });

  it('finds the changed words of a creator, and no longer the old ones', async () => {
    const id = await load();
    await service().load('profiles', aProfile({ id, description: `new${id}` }));
    expect([await found({ text: `new${id}` }), await found({ text: `only ${id}` })]).toEqual([[id], []]);
  });

  it('finds by documents, topics, countries and games that were loaded after the profile', async () => {
    const id = await load();
    await found({ text: id });
    const key = { platform_id: 'live_platform', profile_id: id };
    const topic = `Topic ${id}`;
    const analysis = {
      ...ANALYSIS,
      classifications: [{ topic, category: `Càtegory ${id}`, reason: 'r' }],
      residence: { city: 'c', state: 's', country_code: 'NZ' },
    };
    await service().load('analysis', { ...key, analysis });
    await service().load('emails', { ...key, email: 'a@example.com' });
    await service().load('socials', { ...key, links: [{ id: 'x', platform_id: 'video_platform' }] });
    await service().load('content', aContent({ profile_id: id, categories: [liveGame(`game ${id}`)] }));
    const filters = {
      topics: ['none', topic.toLowerCase()],
      countries: ['nz'],
      game_ids: [`game ${id}`],
      has: ['analysis', 'email', 'socials'],
    };
    expect(await found({ filters })).toEqual([id]);
    expect(await found({ filters: { topics: [`category ${id}`] } })).toEqual([id]);
    expect(await found({ text: id, not: { has: ['audience', 'email'] } })).toEqual([]);
    await service().load('socials', { ...key, links: [] });
    expect(await found({ filters })).toEqual([]);
  });

  it('finds games only on their platform', async () => {
    const id = await load();
    const category = { ...liveGame(id), type: 'video_platform_game' as const };
    await service().load('content', aContent({ profile_id: id, categories: [category] }));
    expect(await found({ filters: { game_ids: [id] } })).toEqual([]);
  });

  it('leaves out a creator who was forgotten, from the moment it ends', async () => {
    const [id, other] = [await load(), await load()];
    expect(await found({ text: id })).toEqual([id]);
    await runForJson(service().testDatabase, 'forget', 'live_platform', id, '--yes');
    expect(await found({ text: id })).toEqual([]);
    expect(await found({ text: other })).toEqual([other]);
  });

  it('adds count and facets only when they are asked for', async () => {
    const id = await load({ language: 'sv' });
    const { body } = await post({ text: id });
    expect(Object.keys(body.meta)).toEqual(['received_at']);
    const { body: counted } = await post({ text: id, count: true, facets: ['language', 'topics'] });
    expect(counted.meta).toMatchObject({
      count: { value: 1, relation: 'eq' },
      facets: { language: [{ value: 'sv', count: 1 }], topics: [] },
    });
  });

  it('tells the same count and facets on a later page', async () => {
    const word = `p${uniqueId()}`;
    const creators = [1, 2, 3].map((followers) =>
      aProfile({ description: word, statistics: { followers, views_estimated: null } }),
    );
    await service().load('profiles', ...creators);
    const body = { text: word, limit: 2, count: true, facets: ['language'] };
    const { body: first } = await post(body);
    const { body: second } = await post({ ...body, cursor: first.paging.next_cursor });
    expect([first.payload.length, second.payload.length, second.paging.next_cursor]).toEqual([2, 1, null]);
    expect([second.meta.count, second.meta.facets]).toEqual([first.meta.count, first.meta.facets]);
  });

  it('costs 1 unit for each item of the limit and 1 credit for each creator', async () => {
    const id = await load();
    const { headers } = await post({ text: id, limit: 7 });
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['7', '1']);
    const { headers: byDefault } = await post({ text: `${id}none` });
    expect([byDefault['x-quota-units'], byDefault['x-credits']]).toEqual(['10', '0']);
  });

  it.each<[body: object, message: string, parameter: string | null]>([
    [{ query: 'x' }, 'Unknown parameter: query', 'query'],
    [{ page: 2 }, 'Unknown parameter: page', 'page'],
    [{ filters: { langage: ['en'] } }, 'Unknown parameter: filters.langage', 'filters.langage'],
    [{ not: { followers: { least: 1 } } }, 'Unknown parameter: not.followers.least', 'not.followers.least'],
    [{ filters: { toString: ['x'] } }, 'Unknown parameter: filters.toString', 'filters.toString'],
    [{ filters: { constructor: ['x'] } }, 'Unknown parameter: filters.constructor', 'filters.constructor'],
    [
      { not: { followers: { min: 1, valueOf: 5 } } },
      'Unknown parameter: not.followers.valueOf',
      'not.followers.valueOf',
    ],
    [{ exclude_ids: [{ constructor: 1 }] }, 'exclude_ids must contain only non-empty strings', 'exclude_ids'],
    [[], 'Request body must be a JSON object', null],
    [{ text: '' }, 'text must have between 1 and 200 characters', 'text'],
    [{ text: 'x'.repeat(201) }, 'text must have between 1 and 200 characters', 'text'],
    [{ filters: [] }, 'filters must be an object', 'filters'],
    [{ filters: null }, 'filters must be an object', 'filters'],
    [{ filters: { language: 'en' } }, 'filters.language must be an array of strings', 'filters.language'],
    [{ filters: { language: [] } }, 'filters.language must contain between 1 and 50 items', 'filters.language'],
    [
      { filters: { topics: Array(51).fill('x') } },
      'filters.topics must contain between 1 and 50 items',
      'filters.topics',
    ],
    [{ not: { countries: [''] } }, 'not.countries must contain only non-empty strings', 'not.countries'],
    [{ filters: { is_mature: 'true' } }, 'filters.is_mature must be one of true, false', 'filters.is_mature'],
    [
      { filters: { has: ['phone'] } },
      'filters.has must contain only email, analysis, audience, socials',
      'filters.has',
    ],
    [{ filters: { followers: {} } }, 'filters.followers must have min, max or both', 'filters.followers'],
    [
      { filters: { followers: { min: 1.5 } } },
      'filters.followers.min must be an integer from -(2^53 - 1) to 2^53 - 1',
      'filters.followers.min',
    ],
    [
      { filters: { followers: { min: 2, max: 1 } } },
      'filters.followers.min must not be more than filters.followers.max',
      null,
    ],
    [
      { filters: { last_active_after: '2026-02-30' } },
      'filters.last_active_after must be a calendar date, YYYY-MM-DD',
      'filters.last_active_after',
    ],
    [{ exclude_ids: Array(1001).fill('x') }, 'exclude_ids must contain at most 1000 items', 'exclude_ids'],
    [{ exclude_ids: [1] }, 'exclude_ids must contain only non-empty strings', 'exclude_ids'],
    [{ sort: 'name' }, 'sort must be one of followers, last_active_at', 'sort'],
    [{ sort: null }, 'sort must be one of followers, last_active_at', 'sort'],
    [{ order: null }, 'order must be one of asc, desc', 'order'],
    [{ exclude_ids: null }, 'exclude_ids must be an array of strings', 'exclude_ids'],
    [{ facets: null }, 'facets must be an array of strings', 'facets'],
    [{ order: 'up' }, 'order must be one of asc, desc', 'order'],
    [{ limit: 51 }, 'limit must be an integer between 1 and 50', 'limit'],
    [{ limit: '10' }, 'limit must be an integer between 1 and 50', 'limit'],
    [{ count: 'true' }, 'count must be one of true, false', 'count'],
    [{ count: 1 }, 'count must be one of true, false', 'count'],
    [{ facets: ['name'] }, 'facets must contain only language, account_type, topics, countries', 'facets'],
    [{ facets: Array(4).fill('topics') }, 'facets must contain at most 3 items', 'facets'],
    [{ cursor: 'x' }, 'Invalid cursor', 'cursor'],
  ])('rejects %j', async (body, message, parameter) => {
    const { status, body: answer, headers } = await post(body);
    expect([status, answer.error.message, answer.error.parameter ?? null]).toEqual([400, message, parameter]);
    expect(headers['x-quota-units']).toBe('0');
  });

  it('names the accepted filters where one is unknown', async () => {
    const { body } = await post({ filters: { lang: ['en'] } });
    expect(body.error.allowed).toEqual([
      'filters.followers',
      'filters.language',
      'filters.account_type',
      'filters.is_mature',
      'filters.last_active_after',
      'filters.game_ids',
      'filters.topics',
      'filters.countries',
      'filters.has',
    ]);
  });

  it('rejects a cursor of another sort, order, platform or list', async () => {
    await load();
    await load();
    const { body } = await post({ limit: 1 });
    const cursor = body.paging.next_cursor;
    expect((await post({ limit: 1, cursor })).status).toBe(200);
    expect((await post({ limit: 1, cursor, filters: { language: ['en'] } })).status).toBe(200);
    expect((await post({ limit: 1, cursor, sort: 'last_active_at' })).status).toBe(400);
    expect((await post({ limit: 1, cursor, order: 'asc' })).status).toBe(400);
    expect((await service().post('/platforms/video_platform/profiles/search', { cursor })).status).toBe(400);
    const { body: list } = await service().get('/platforms/live_platform/profiles?sort=followers&limit=1');
    expect((await post({ cursor: list.paging.next_cursor })).status).toBe(400);
  });

  describe('with a key that does not see a member', () => {
    const keyWithout = async (policy: string): Promise<Record<string, string>> => {
      const { id, key } = await service().newKey(1000);
      await runForJson(service().testDatabase, 'keys', 'policy', id, '--hide', policy);
      return { 'x-api-key': key };
    };

    it.each<[hidden: string, body: object, parameter: string]>([
      ['language', { filters: { language: ['en'] } }, 'filters.language'],
      ['language', { facets: ['language'] }, 'facets'],
      ['account_type', { not: { account_type: ['partner'] } }, 'not.account_type'],
      ['is_mature', { filters: { is_mature: true } }, 'filters.is_mature'],
      ['classifications', { filters: { topics: ['x'] } }, 'filters.topics'],
      ['primary_classification', { facets: ['topics'] }, 'facets'],
      ['residence', { filters: { countries: ['DE'] } }, 'filters.countries'],
      ['email', { filters: { has: ['analysis', 'email'] } }, 'filters.has'],
      ['description', { text: 'x' }, 'text'],
      ['display_name', { text: 'x' }, 'text'],
    ])('%s: rejects %j', async (hidden, body, parameter) => {
      const { status, body: answer } = await post(body, await keyWithout(hidden));
      expect([status, answer.error.code, answer.error.message, answer.error.parameter]).toEqual([
        400,
        'member_hidden',
        `${hidden} is hidden from this key`,
        parameter,
      ]);
    });

    it('hides the member in the results of other searches', async () => {
      await load({ language: 'en' });
      const { status, body } = await post({ limit: 1 }, await keyWithout('language'));
      expect([status, body.payload[0].language]).toEqual([200, null]);
    });
  });

  it('answers a test key from the sample data', async () => {
    const { key } = await service().newTestKey();
    const search = () => post({ text: 'lumen', count: true }, { 'x-api-key': key });
    // The first search has the index of the sample data built.
    await until('the sample data is indexed', async () => (await search()).status !== 503);
    const { status, body, headers } = await search();
    expect([status, headers['x-test-mode']]).toEqual([200, 'true']);
    expect(body.payload.map(({ name }: { name: string }) => name)).toEqual(['lumen_vale']);
  });
});
