import { describe, expect, it } from '@jest/globals';
import { aGame } from '../../support/records/builders.js';
import { describeService, type TestService } from '../../support/service/test-service.js';

/** Returns the names that a query finds, in order. */
async function namesFor(service: TestService, query: string): Promise<string[]> {
  const { status, body } = await service.get(
    `/games/search?${new URLSearchParams({ query, limit: '100' }).toString()}`,
  );
  expect(status).toBe(200);
  return (body.payload as { name: string }[]).map(({ name }) => name);
}

const load = (service: TestService, ...names: string[]) =>
  service.load('games', ...names.map((name, index) => aGame({ name, total_rating_count: 1000 - index })));

describeService('GET /games/search, what it matches', (service) => {
  describe('every word of the query begins a word of the name', () => {
    it('finds a name by the beginnings of its words, in any order', async () => {
      await load(service(), 'Quantum Lighthouse Keeper');
      for (const query of [
        'quantum',
        'q',
        'lighth',
        'keeper quan',
        'light keep quantum',
        'Quantum Lighthouse Keeper',
      ]) {
        expect(await namesFor(service(), query)).toEqual(['Quantum Lighthouse Keeper']);
      }
    });

    it('does not find a name by the middle or the end of a word', async () => {
      await load(service(), 'Zephyrwind Harbour');
      for (const query of ['ephyr', 'wind', 'arbour', 'zephyrwinds'])
        expect(await namesFor(service(), query)).toEqual([]);
    });

    it('does not find a name that lacks one of the words', async () => {
      await load(service(), 'Marble Orchard');
      expect(await namesFor(service(), 'marble vineyard')).toEqual([]);
    });

    it('matches a word that the query repeats', async () => {
      await load(service(), 'Duran Tower');
      expect(await namesFor(service(), 'duran duran')).toEqual(['Duran Tower']);
    });
  });

  describe('case and accents do not count', () => {
    it.each([
      ['Pokétown', ['poketown', 'POKÉTOWN', 'pokétown', 'poke\u0301town']],
      ['Ōkamia', ['okamia', 'ŌKAMIA']],
      ['Ragnarök Straße', ['ragnarok', 'RAGNAROK STRASSE', 'straße']],
      ['ČERNÝ Les', ['cerny', 'černý les']],
      ['Plain Resume', ['plain résumé']],
    ])('finds %s in every spelling of its letters', async (name, queries) => {
      await load(service(), name);
      for (const query of queries) expect(await namesFor(service(), query)).toEqual([name]);
    });
  });

  describe('punctuation inside a word may be typed or left out', () => {
    it.each([
      ['Half-Life', ['half-life', 'half life', 'halflife', 'life', 'half']],
      ['S.T.A.L.K.E.R.', ['stalker', 's.t.a.l.k.e.r.', 's.t.a.l.k.e.r', 'stal']],
      ["Assassin's Oath", ['assassins', "assassin's", 'assassin’s oath', 'assassins oath']],
      ['Hitman™ Absolute', ['hitman', 'hitman™']],
      ['N++', ['n++', 'n']],
      ['.hack//Infect', ['.hack', 'hack', 'infect', 'hack//infect', 'hackinfect']],
      ['Pac-Man World', ['pacman', 'pac-man', 'pac man', 'pacman world']],
    ])('finds %s by each of its spellings', async (name, queries) => {
      await load(service(), name);
      for (const query of queries) expect([query, await namesFor(service(), query)]).toEqual([query, [name]]);
    });
  });

  describe('words of one or two characters and words such as "the" count like any other', () => {
    it.each(['the', 'of', 'a', 'x', 'iv', '7', 'and', 'in'])('finds only the name with the word %s', async (word) => {
      const other = `Kestrelbane${word}`;
      await load(service(), `Kestrelbane ${word}`, other);
      expect(await namesFor(service(), `kestrelbane ${word}`)).toEqual([`Kestrelbane ${word}`]);
    });

    it('finds a name by one letter alone', async () => {
      await load(service(), 'Ψ');
      expect(await namesFor(service(), 'ψ')).toEqual(['Ψ']);
    });
  });

  describe('in scripts without spaces a run of characters inside the name matches', () => {
    it.each([
      ['ドラゴンクエスト物語', ['ドラゴン', 'クエスト', '物語', 'エスト物']],
      ['三国志戦略版', ['三国志', '戦略', '版']],
      ['เกมเศรษฐี', ['เกม', 'เศรษฐี']],
      ['ゼノ Blade 伝説', ['ゼノ', 'blade', '説', 'ノ bla']],
    ])('finds %s by any run of its characters', async (name, queries) => {
      await load(service(), name);
      for (const query of queries) expect([query, await namesFor(service(), query)]).toEqual([query, [name]]);
    });

    it('does not find characters that are not adjacent in the name', async () => {
      await load(service(), '魔法少女');
      expect(await namesFor(service(), '魔女')).toEqual([]);
    });

    it('still matches only the beginnings of words in a script with spaces', async () => {
      await load(service(), '한국어 게임', 'Тетрислэнд');
      expect(await namesFor(service(), 'трислэнд')).toEqual([]);
      expect(await namesFor(service(), 'тетрис')).toEqual(['Тетрислэнд']);
    });
  });

  describe('a query without any letter or digit matches nothing', () => {
    it.each(['!', '...', '   ', '-', '™', '🎮', "'"])('answers %j with an empty list', async (query) => {
      await load(service(), '!', 'Exclaim!');
      expect(await namesFor(service(), query)).toEqual([]);
    });
  });

  describe('order: total rating count descending, then name, then ID', () => {
    it('lists games by descending rating count, games without a count last', async () => {
      const counts: [string, number | null][] = [
        ['b', 5],
        ['c', null],
        ['d', 0],
        ['a', 5_000_000],
        ['e', -1],
      ];
      await service().load(
        'games',
        ...counts.map(([end, count]) => aGame({ name: `Sortaria ${end}`, total_rating_count: count })),
      );
      expect(await namesFor(service(), 'sortaria')).toEqual(['a', 'b', 'd', 'e', 'c'].map((end) => `Sortaria ${end}`));
    });

    it('orders games with equal rating counts by name, also those without a count', async () => {
      const names = ['Tiebreak B', 'Tiebreak A', 'Tiebreak C'];
      await service().load('games', ...names.map((name) => aGame({ name, total_rating_count: null })));
      expect(await namesFor(service(), 'tiebreak')).toEqual(['Tiebreak A', 'Tiebreak B', 'Tiebreak C']);
    });

    it('orders games with equal names by the bytes of the ID', async () => {
      const ids = ['samename-9', 'samename-10', 'samename-a', 'samename-Z'];
      await service().load('games', ...ids.map((id) => aGame({ id, name: 'Samename', total_rating_count: 7 })));
      const { body } = await service().get('/games/search?query=samename');
      expect(body.payload.map(({ id }: { id: string }) => id)).toEqual([
        'samename-10',
        'samename-9',
        'samename-Z',
        'samename-a',
      ]);
    });

    it('keeps the order at the limit when games are added among the first', async () => {
      const count = 12;
      const some = Array.from({ length: count }, (_, n) => aGame({ name: `Limitless ${n}`, total_rating_count: n }));
      await service().load('games', ...some.filter((_, n) => n % 2 === 0));
      expect((await service().get('/games/search?query=limitless&limit=1')).body.payload[0].name).toBe('Limitless 10');
      await service().load('games', ...some.filter((_, n) => n % 2 === 1));
      const { body } = await service().get('/games/search?query=limitless&limit=5');
      expect(body.payload.map(({ name }: { name: string }) => name)).toEqual(
        [11, 10, 9, 8, 7].map((n) => `Limitless ${n}`),
      );
    });
  });
});
