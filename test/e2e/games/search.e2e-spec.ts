import { describe, expect, it } from '@jest/globals';
import { aGame, uniqueId } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

const REQUIRED = 'Invalid platform or missing required parameter';
const LENGTH = 'query must have between 1 and 200 characters';
const LIMIT = 'limit must be an integer between 1 and 100';

const namesOf = (body: { payload: { name: string }[] }) => body.payload.map(({ name }) => name);

describeService('GET /games/search', (service) => {
  describe('200', () => {
    it('returns array of Game: id, name, slug, first_release_date and the two platform IDs, without the rating count', async () => {
      const { total_rating_count: _, ...game } = aGame({ name: 'Shapeshift Hollow' });
      await service().load('games', { ...game, total_rating_count: 3 });
      const { status, body } = await service().get('/games/search?query=shapeshift');
      expect(status).toBe(200);
      expect(body.payload).toEqual([game]);
      expect(Object.keys(body.payload[0])).toEqual([
        'id',
        'name',
        'slug',
        'first_release_date',
        'live_platform_id',
        'video_platform_id',
      ]);
    });

    it('returns null for unknown members of a game', async () => {
      const id = uniqueId();
      await service().load('games', { id, name: 'Bareboned' });
      const { body } = await service().get('/games/search?query=bareboned');
      const unknown = { slug: null, first_release_date: null, live_platform_id: null, video_platform_id: null };
      expect(body.payload).toEqual([{ id, name: 'Bareboned', ...unknown }]);
    });

    it('echoes source, query, platform, limit, received_at in meta, and nothing else', async () => {
      const { body } = await service().get('/games/search?query=No%20Such%C3%A9&platform=video_platform&limit=7');
      expect(body).toEqual({
        payload: [],
        meta: {
          source: 'database',
          query: 'No Suché',
          platform: 'video_platform',
          limit: 7,
          received_at: expect.any(String),
        },
      });
      expect(new Date(body.meta.received_at).toISOString()).toBe(body.meta.received_at);
    });

    it('accepts q as the short form of query, and echoes it as query', async () => {
      await service().load('games', aGame({ name: 'Shortform' }));
      const { body } = await service().get('/games/search?q=shortform');
      expect(namesOf(body)).toEqual(['Shortform']);
      expect(body.meta.query).toBe('shortform');
    });

    it.each([
      ['live_platform', 'Only Live'],
      ['video_platform', 'Only Video'],
    ])('platform filter %s restricts results to games available there', async (platform, found) => {
      const word = `Where${platform === 'live_platform' ? 'live' : 'video'}`;
      await service().load(
        'games',
        aGame({ name: `${word} Only Live`, video_platform_id: null, total_rating_count: 3 }),
        aGame({ name: `${word} Only Video`, live_platform_id: null, total_rating_count: 2 }),
        aGame({ name: `${word} Nowhere`, live_platform_id: null, video_platform_id: null, total_rating_count: 9 }),
        aGame({ name: `${word} Both`, total_rating_count: 1 }),
      );
      const { body } = await service().get(`/games/search?query=${word}&platform=${platform}`);
      expect(namesOf(body)).toEqual([`${word} ${found}`, `${word} Both`]);
      expect(body.meta.platform).toBe(platform);
    });

    it('has a null platform in meta without a filter, and finds games that are on no platform', async () => {
      await service().load('games', aGame({ name: 'Unplatformed', live_platform_id: null, video_platform_id: null }));
      const { body } = await service().get('/games/search?query=unplatformed');
      expect(body.meta.platform).toBeNull();
      expect(namesOf(body)).toEqual(['Unplatformed']);
    });

    it('result limit: 1 to 100, default 20', async () => {
      await service().load('games', ...Array.from({ length: 101 }, (_, n) => aGame({ name: `Centurion ${n}` })));
      for (const [parameter, count] of [
        ['', 20],
        ['&limit=1', 1],
        ['&limit=100', 100],
      ] as const) {
        const { status, body } = await service().get(`/games/search?query=centurion${parameter}`);
        expect([status, body.payload.length, body.meta.limit]).toEqual([200, count, count]);
      }
    });

    it.each([
      ['1', 'x'],
      ['200', 'x'.repeat(200)],
      ['200 characters outside the basic plane', '𝔸'.repeat(200)],
    ])('search text: accepts length %s', async (_, query) => {
      const { status, body } = await service().get(`/games/search?query=${encodeURIComponent(query)}`);
      expect([status, body.meta.query]).toEqual([200, query]);
    });

    it('costs units by its limit and 2 credits per game returned; 0 credits without a game', async () => {
      await service().load('games', ...['A', 'B', 'C'].map((end) => aGame({ name: `Costly ${end}` })));
      const cost = async (query: string) => {
        const { headers } = await service().get(`/games/search?${query}`);
        return [headers['x-quota-units'], headers['x-credits']];
      };
      expect(await cost('query=costly')).toEqual(['20', '6']);
      expect(await cost('query=costly&limit=2')).toEqual(['2', '4']);
      expect(await cost('query=costlynot&limit=100')).toEqual(['100', '0']);
      expect(await cost('query=!')).toEqual(['20', '0']);
    });

    it('answers 304 to the ETag of the same results, free of charge', async () => {
      await service().load('games', aGame({ name: 'Unchanging' }));
      const { headers } = await service().get('/games/search?query=unchanging');
      const again = await service().get('/games/search?query=unchanging', { 'if-none-match': String(headers.etag) });
      expect([again.status, again.text, again.headers['x-quota-units'], again.headers['x-credits']]).toEqual([
        304,
        '',
        '0',
        '0',
      ]);
    });
  });

  describe('400', () => {
    it.each([
      ['neither query nor q', '', REQUIRED],
      ['query and q together', 'query=a&q=a', 'query and q are the same parameter: give one of them'],
      ['an empty query', 'query=', LENGTH],
      ['an empty q', 'q=', `q${LENGTH.slice('query'.length)}`],
      ['a query of 201 characters', `query=${'x'.repeat(201)}`, LENGTH],
      ['a q of 201 characters', `q=${'x'.repeat(201)}`, `q${LENGTH.slice('query'.length)}`],
      ['201 characters outside the basic plane', `query=${encodeURIComponent('𝔸'.repeat(201))}`, LENGTH],
      ['limit 0', 'query=a&limit=0', LIMIT],
      ['limit 101', 'query=a&limit=101', LIMIT],
      ['a limit below 0', 'query=a&limit=-1', LIMIT],
      ['a limit with a fraction', 'query=a&limit=1.5', LIMIT],
      ['a limit that is a word', 'query=a&limit=ten', LIMIT],
      ['an empty limit', 'query=a&limit=', LIMIT],
      ['a limit in hexadecimal', 'query=a&limit=0x10', LIMIT],
      ['a platform without games', 'query=a&platform=photo_platform', REQUIRED],
      ['the game database as platform', 'query=a&platform=gamedb', REQUIRED],
      ['an unknown platform', 'query=a&platform=LIVE_PLATFORM', REQUIRED],
      ['an empty platform', 'query=a&platform=', REQUIRED],
      ['exact that is neither true nor false', 'query=a&exact=yes', 'exact must be one of true, false'],
      ['an empty exact', 'query=a&exact=', 'exact must be one of true, false'],
      ['exact in capitals', 'query=a&exact=TRUE', 'exact must be one of true, false'],
      ['exact given twice', 'query=a&exact=true&exact=true', 'Parameter given more than once: exact'],
      ['a parameter that paging would have', 'query=a&cursor=x', 'Unknown parameter: cursor'],
      ['query given twice', 'query=a&query=b', 'Parameter given more than once: query'],
      ['limit given twice', 'query=a&limit=1&limit=1', 'Parameter given more than once: limit'],
    ])('rejects %s', async (_, query, message) => {
      const { status, body, headers } = await service().get(`/games/search?${query}`);
      expect([status, body.error]).toEqual([400, expect.objectContaining({ status: 400, message })]);
      expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['0', '0']);
    });
  });
});

describeService('GET /games/search after an import', (service) => {
  const search = async (query: string, on = service()) =>
    namesOf((await on.get(`/games/search?query=${query}&limit=100`)).body);

  it('finds a game as soon as it is loaded', async () => {
    expect(await search('freshly')).toEqual([]);
    await service().load('games', aGame({ name: 'Freshly Baked' }));
    expect(await search('freshly')).toEqual(['Freshly Baked']);
  });

  it('no longer finds a renamed game by its old name', async () => {
    const game = aGame({ name: 'Oldname' });
    await service().load('games', game);
    expect(await search('oldname')).toEqual(['Oldname']);
    await service().load('games', { ...game, name: 'Renamed' });
    expect([await search('oldname'), await search('renamed')]).toEqual([[], ['Renamed']]);
  });

  it('follows a changed rating count and platform', async () => {
    const game = aGame({ name: 'Rising A', total_rating_count: 1 });
    await service().load('games', game, aGame({ name: 'Rising B', total_rating_count: 2 }));
    expect(await search('rising')).toEqual(['Rising B', 'Rising A']);
    await service().load('games', { ...game, total_rating_count: 3, live_platform_id: null });
    expect(await search('rising')).toEqual(['Rising A', 'Rising B']);
    expect(await search('rising&platform=live_platform')).toEqual(['Rising B']);
  });

  it.each([[0], [600], [5001]])(
    'returns the current version of a game that changed together with %d others',
    async (others) => {
      const game = aGame({ name: `Remade${others}` });
      await service().load('games', game);
      const found = async () => (await service().get(`/games/search?query=remade${others}`)).body.payload;
      expect(await found()).toEqual([expect.objectContaining({ id: game.id, slug: game.slug })]);
      await service().load('games', { ...game, slug: 'remade' }, ...Array.from({ length: others }, () => aGame({})));
      expect(await found()).toEqual([expect.objectContaining({ id: game.id, slug: 'remade' })]);
    },
  );

  it.each([[500], [501], [5001]])('finds each of %d games of one import', async (count) => {
    await service().load(
      'games',
      ...Array.from({ length: count }, (_, n) => aGame({ name: `Bulk${count} Number${n}` })),
    );
    for (const n of [0, count - 1])
      expect(await search(`bulk${count}+number${n}`)).toContain(`Bulk${count} Number${n}`);
    expect(await search(`bulk${count}`)).toHaveLength(100);
  });

  it('finds in every process what any process has imported, at once', async () => {
    const other = await service().startSecond();
    try {
      expect([await search('everywhere'), await search('everywhere', other)]).toEqual([[], []]);
      const game = aGame({ name: 'Everywhere' });
      await service().load('games', game);
      expect([await search('everywhere'), await search('everywhere', other)]).toEqual([['Everywhere'], ['Everywhere']]);
      await other.load('games', { ...game, name: 'Elsewhere' });
      expect([await search('everywhere'), await search('elsewhere', other)]).toEqual([[], ['Elsewhere']]);
    } finally {
      await other.stop();
    }
  });
});
