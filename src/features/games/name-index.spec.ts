import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildNameIndex, type NamedGame } from './name-index.builder.js';
import type { NameIndex } from './name-index.js';
import { matches, nameWords, queryWords } from './search-words.mjs';

const NOT_CLOSING = new AbortController().signal;

/** Yields games in pages of 1000. */
async function* pagesOf(games: readonly NamedGame[]): AsyncGenerator<readonly NamedGame[]> {
  for (let from = 0; from < games.length; from += 1000) yield games.slice(from, from + 1000);
}

const build = (games: readonly NamedGame[]) => buildNameIndex(pagesOf(games), NOT_CLOSING);

/** Creates games with these names, numbered from 101. */
const named = (...names: string[]) => names.map((name, i) => ({ num: 101 + i, name, tags: [] }));

const tagged = (tag: string) => ({ joined: tag, parts: [tag] });

const NONE = new Set<number>();

describe('NameIndex', () => {
  let index: NameIndex;
  beforeAll(async () => {
    index = await build([
      { num: 4_294_967_295, name: 'Half-Life', tags: ['#live', '#video'] },
      { num: 7, name: 'Halflife', tags: ['#live'] },
      { num: 9, name: 'The Half Life of the Witcher', tags: ['#video'] },
      { num: 3, name: '!!!', tags: ['#live'] },
      { num: 5, name: 'Life is Strange', tags: [] },
      { num: 6, name: 'ドラゴンクエスト', tags: ['#live'] },
    ]);
  });
  const search = (query: string, { limit = 20, excluded = NONE } = {}) =>
    index.search(queryWords(query), limit, excluded);

  it('returns games in the order of rank', () => expect(search('life')).toEqual([4_294_967_295, 9, 5]));
  it('matches punctuation as a gap and as nothing', () => expect(search('half-life')).toEqual([4_294_967_295, 7, 9]));
  it('requires every word', () => expect(search('life half t')).toEqual([9]));
  it('requires short words like any other', () => expect(search('o i')).toEqual([]));
  it('matches inside a word of a script without spaces', () => expect(search('ゴンクエ')).toEqual([6]));
  it('stops at the limit', () => expect(search('life', { limit: 2 })).toEqual([4_294_967_295, 9]));
  it('skips excluded games', () =>
    expect(search('life', { limit: 2, excluded: new Set([9]) })).toEqual([4_294_967_295, 5]));
  it('finds nothing for a query without words', () => expect(search('!!!')).toEqual([]));
  it('finds nothing if one word is unknown', () => expect(search('half zebra')).toEqual([]));

  it.each([
    ['#live', [4_294_967_295]],
    ['#video', [4_294_967_295, 9]],
    ['#none', []],
  ])('combines a name with the tag %s', (tag, nums) =>
    expect(index.search([...queryWords('life'), tagged(tag)], 20, NONE)).toEqual(nums),
  );

  it('finds nothing in an empty index', async () => {
    const empty = await build([]);
    expect(empty.search(queryWords('a'), 20, NONE)).toEqual([]);
  });

  it('distinguishes the same letters with and without punctuation', async () => {
    const both = await build(named('Half-Life', 'Halflife', 'Half-Life', 'Life'));
    expect(both.search(queryWords('life'), 20, NONE)).toEqual([101, 103, 104]);
  });

  it('evaluates a long query of many rare words', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => letter.repeat(2));
    const long = await build(named(...Array.from({ length: 3000 }, (_, i) => `filler ${i}`), letters.join(' ')));
    for (let i = 0; i < 2; i++) expect(long.search(queryWords(letters.join(' ')), 20, NONE)).toEqual([3101]);
    expect(long.search(queryWords(`${letters.join(' ')} filler`), 20, NONE)).toEqual([]);
  });

  it('stays correct when a query has more prefixes than the cache holds', async () => {
    const name = 'a'.repeat(600);
    const repetitive = await build(named(...Array.from({ length: 600 }, (_, i) => name.slice(0, i + 1))));
    for (let length = 1; length < 600; length++) {
      expect(repetitive.search(queryWords(name.slice(0, length)), 2, NONE)).toEqual([100 + length, 101 + length]);
    }
    const prefixes = Array.from({ length: 500 }, (_, i) => name.slice(0, i + 1)).join(' ');
    expect(repetitive.search(queryWords(prefixes), 2, NONE)).toEqual([600, 601]);
  });
});

describe('buildNameIndex', () => {
  it('rejects if the thread fails, and stops reading pages', async () => {
    let pages = 0;
    async function* endless(): AsyncGenerator<readonly NamedGame[]> {
      for (; ; pages++) {
        yield [{ num: pages, name: null as unknown as string, tags: [] }];
        await nextTurn();
      }
    }
    await expect(buildNameIndex(endless(), NOT_CLOSING)).rejects.toMatchObject({ name: 'TypeError' });
    const pagesAtEnd = pages;
    await setTimeout(20);
    expect(pages).toBeLessThanOrEqual(pagesAtEnd + 1);
  });

  it('rejects when it is aborted, even if a page never arrives', async () => {
    const closing = new AbortController();
    async function* stuck(): AsyncGenerator<readonly NamedGame[]> {
      yield named('Half-Life');
      await new Promise(() => undefined);
    }
    const building = buildNameIndex(stuck(), closing.signal);
    await nextTurn();
    closing.abort();
    await expect(building).rejects.toThrow('aborted');
    await expect(buildNameIndex(stuck(), closing.signal)).rejects.toThrow('aborted');
  });
});

/** Creates a deterministic generator of numbers below 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('NameIndex compared with a scan of every name', () => {
  const ALPHABET = [
    'a',
    'b',
    'c',
    'A',
    'é',
    'ß',
    'a',
    'b',
    ' ',
    ' ',
    ' ',
    '-',
    '.',
    "'",
    '2',
    'ド',
    'ー',
    '東',
    '𠮷',
    '&',
  ];

  it.each([
    { seed: 1, size: 40, longest: 8 },
    { seed: 2, size: 700, longest: 12 },
    { seed: 3, size: 5000, longest: 30 },
  ])('returns the same games for $size names', async ({ seed, size, longest }) => {
    const random = createRandom(seed);
    const below = (end: number) => Math.floor(random() * end);
    const text = (length: number) =>
      Array.from({ length: 1 + below(length) }, () => ALPHABET[below(ALPHABET.length)]).join('');
    const games = Array.from({ length: size }, (_, i) => ({
      num: (i * 7919) % 1_000_003, // distinct, unordered
      name: text(longest),
      tags: ['#live', '#video'].filter(() => random() < 0.5),
    }));
    const words = games.map(({ name, tags }) => [...nameWords(name), ...tags]);
    const index = await build(games);

    for (let i = 0; i < 1000; i++) {
      const name = games[below(size)]?.name ?? '';
      const query = queryWords(random() < 0.5 ? text(8) : name.slice(below(name.length)));
      if (query.length > 0 && random() < 0.5) query.push(tagged(random() < 0.5 ? '#live' : '#video'));
      const limit = 1 + below(random() < 0.5 ? 5 : 100);
      const excluded = new Set(games.filter(() => random() < 0.02).map(({ num }) => num));
      const expected = games
        .filter(({ num }, rank) => !excluded.has(num) && matches(query, words[rank] ?? []))
        .slice(0, limit)
        .map(({ num }) => num);
      expect(index.search(query, limit, excluded)).toEqual(expected);
    }
  });
});
