import { expect, it } from '@jest/globals';
import { aGame } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

describeService('GET /games/search?exact=true', (service) => {
  const search = (query: string, rest = '&exact=true') =>
    service().get(`/games/search?query=${encodeURIComponent(query)}${rest}`);
  const namesOf = async (query: string, rest?: string): Promise<string[]> => {
    const { status, body } = await search(query, rest);
    expect(status).toBe(200);
    return (body.payload as { name: string }[]).map(({ name }) => name);
  };
  const load = (...names: string[]) =>
    service().load('games', ...names.map((name, index) => aGame({ name, total_rating_count: 1000 - index })));

  it('finds only games of that very name; the search without it keeps the order of popularity, then name', async () => {
    await service().load(
      'games',
      aGame({ name: 'Minecarft Dungeons', total_rating_count: 900 }),
      aGame({ name: 'Minecarft', total_rating_count: 500 }),
      aGame({ name: 'minecarft', total_rating_count: 700 }),
      aGame({ name: 'Minecarft: Story Mode', total_rating_count: 900 }),
      aGame({ name: 'Not Minecarft', total_rating_count: 999 }),
    );
    expect(await namesOf('minecarft')).toEqual(['minecarft', 'Minecarft']);
    const all = ['Not Minecarft', 'Minecarft Dungeons', 'Minecarft: Story Mode', 'minecarft', 'Minecarft'];
    expect(await namesOf('minecarft', '')).toEqual(all);
    expect(await namesOf('minecarft', '&exact=false')).toEqual(all);
    expect(await namesOf('minecar')).toEqual([]);
    expect(await namesOf('minecarft not')).toEqual([]);
    expect(await namesOf('minecarft minecarft')).toEqual([]);
  });

  it.each([
    ['Ragnaröck Straße', ['ragnarock strasse', 'RAGNARÖCK STRASSE', '  ragnarock   straße! ']],
    ['Halb-Leben', ['halb-leben', 'halb leben', 'halbleben', 'Halb: Leben']],
    ["Kapitän's Törn™", ['kapitans torn']],
    ['塔の灯火', ['塔の灯火']],
    ['Zwei (Remake) & Mehr', ['zwei remake mehr']],
  ])('ignores what every search ignores in %s', async (name, queries) => {
    await load(name, `${name} II`, `Vor ${name}`);
    for (const query of queries) expect([query, await namesOf(query)]).toEqual([query, [name]]);
  });

  it('matches a hyphen as nothing and as a gap', async () => {
    await load('Kern-Kraft', 'Kernkraft', 'Kern Kraft');
    expect(await namesOf('kern-kraft')).toEqual(['Kern-Kraft', 'Kernkraft', 'Kern Kraft']);
    expect(await namesOf('kernkraft')).toEqual(['Kern-Kraft', 'Kernkraft']);
    expect(await namesOf('kern kraft')).toEqual(['Kern-Kraft', 'Kern Kraft']);
  });

  it('finds nothing for a text without letters and digits', async () => {
    await load('!!!?');
    expect(await namesOf('!!!?')).toEqual([]);
  });

  it('filters by platform, and follows renamed games', async () => {
    const game = aGame({ name: 'Namesake', video_platform_id: null, total_rating_count: 1 });
    await service().load('games', game, aGame({ name: 'Namesake', total_rating_count: 2 }));
    const ids = async (query: string) =>
      ((await search(query, '&exact=true&platform=video_platform')).body.payload as object[]).length;
    expect([(await namesOf('namesake')).length, await ids('namesake')]).toEqual([2, 1]);
    await service().load('games', { ...game, name: 'Namesakes' });
    expect([await namesOf('namesake'), await namesOf('namesakes')]).toEqual([['Namesake'], ['Namesakes']]);
  });

  it('finds games of a rebuilt index', async () => {
    await service().load(
      'games',
      aGame({ name: 'Needle', total_rating_count: 5 }),
      ...Array.from({ length: 5001 }, (_, n) => aGame({ name: `Needle ${n}` })),
    );
    expect(await namesOf('needle')).toEqual(['Needle']);
    expect(await namesOf('needle 4999')).toEqual(['Needle 4999']);
  });

  it('has the price, meta and ETag of the search', async () => {
    await load('Priced Once', 'Priced Once More');
    const { headers, body } = await search('priced once', '&exact=true&limit=5');
    expect([headers['x-quota-units'], headers['x-credits']]).toEqual(['5', '2']);
    expect(Object.keys(body.meta)).toEqual(['source', 'query', 'platform', 'limit', 'received_at']);
    const again = await service().get('/games/search?query=priced%20once&exact=true&limit=5', {
      'if-none-match': String(headers.etag),
    });
    expect(again.status).toBe(304);
    const inexact = await search('priced once', '&limit=5');
    expect(inexact.headers.etag).not.toBe(headers.etag);
  });
});
