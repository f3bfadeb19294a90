import { describe, expect, it } from '@jest/globals';
import { LIVE_PLATFORM, VIDEO_PLATFORM, type NameIndex } from './name-index.js';
import { NameIndexBuilder } from './name-index.builder.js';
import { matches, nameWords, queryWords } from './search-words.js';

interface Game {
  num: number;
  name: string;
  platforms: number;
}

function build(games: readonly Game[]): { index: NameIndex; slices: number } {
  const builder = new NameIndexBuilder();
  for (const { num, name, platforms } of games) builder.add(num, name, platforms);
  const steps = builder.finish();
  let slices = 1;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) slices++;
  return { index: step.value, slices };
}

/** In the order given, numbered from 101. */
const named = (...names: string[]) => names.map((name, i) => ({ num: 101 + i, name, platforms: LIVE_PLATFORM }));

const NONE = new Set<number>();

describe('NameIndex', () => {
  const { index } = build([
    { num: 4_294_967_295, name: 'Half-Life', platforms: LIVE_PLATFORM | VIDEO_PLATFORM },
    { num: 7, name: 'Halflife', platforms: LIVE_PLATFORM },
    { num: 9, name: 'The Half Life of the Witcher', platforms: VIDEO_PLATFORM },
    { num: 3, name: '!!!', platforms: LIVE_PLATFORM },
    { num: 5, name: 'Life is Strange', platforms: 0 },
    { num: 6, name: 'ドラゴンクエスト', platforms: LIVE_PLATFORM },
  ]);
  const search = (query: string, { platforms = 0, limit = 20, excluded = NONE } = {}) =>
    index.search(queryWords(query), platforms, limit, excluded);

  it('answers in the order of rank', () => expect(search('life')).toEqual([4_294_967_295, 9, 5]));
  it('reads punctuation both ways', () => expect(search('half-life')).toEqual([4_294_967_295, 7, 9]));
  it('wants every word', () => expect(search('life half t')).toEqual([9]));
  it('counts short words like any other', () => expect(search('o i')).toEqual([]));
  it('finds a run of characters inside', () => expect(search('ゴンクエ')).toEqual([6]));
  it('stops at the limit', () => expect(search('life', { limit: 2 })).toEqual([4_294_967_295, 9]));
  it('skips the excluded', () =>
    expect(search('life', { limit: 2, excluded: new Set([9]) })).toEqual([4_294_967_295, 5]));
  it('finds nothing without words', () => expect(search('!!!')).toEqual([]));
  it('finds nothing where one word is unknown', () => expect(search('half zebra')).toEqual([]));
  it('knows its size', () => expect(index.size).toBe(6));

  it.each([
    [LIVE_PLATFORM, [4_294_967_295]],
    [VIDEO_PLATFORM, [4_294_967_295, 9]],
    [LIVE_PLATFORM | VIDEO_PLATFORM, [4_294_967_295, 9]],
  ])('filters by platform mask %i', (platforms, nums) => expect(search('life', { platforms })).toEqual(nums));

  it('is empty without games', () => {
    const { index: empty } = build([]);
    expect(empty.search(queryWords('a'), 0, 20, NONE)).toEqual([]);
    expect(empty.size).toBe(0);
  });

  it('tells the same letters with and without punctuation apart', () => {
    const { index: both } = build(named('Half-Life', 'Halflife', 'Half-Life'));
    expect(both.search(queryWords('life'), 0, 20, NONE)).toEqual([101, 103]);
  });

  it('answers a long query of many rare words', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => letter.repeat(2));
    const { index: long } = build(named(...Array.from({ length: 3000 }, (_, i) => `filler ${i}`), letters.join(' ')));
    for (let i = 0; i < 2; i++) expect(long.search(queryWords(letters.join(' ')), 0, 20, NONE)).toEqual([3101]);
    expect(long.search(queryWords(`${letters.join(' ')} filler`), 0, 20, NONE)).toEqual([]);
  });

  it('stays right where more prefixes are frequent than it keeps sets for', () => {
    const name = 'a'.repeat(600);
    const { index: repetitive } = build(named(...Array.from({ length: 600 }, (_, i) => name.slice(0, i + 1))));
    expect(repetitive.search(queryWords('a'.repeat(500)), 0, 2, NONE)).toEqual([600, 601]);
  });

  it('is finished in slices', () => {
    const { slices } = build(named(...Array.from({ length: 20_000 }, (_, i) => `word${i} game${i % 100} the`)));
    expect(slices).toBeGreaterThan(30);
  });
});

/** A generator of numbers below 1 that always gives the same ones (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('NameIndex compared with looking at every name', () => {
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
  ])('gives the same games: $size names', ({ seed, size, longest }) => {
    const random = randomFrom(seed);
    const below = (end: number) => Math.floor(random() * end);
    const text = (length: number) =>
      Array.from({ length: 1 + below(length) }, () => ALPHABET[below(ALPHABET.length)]).join('');
    const games = Array.from({ length: size }, (_, i) => ({
      num: (i * 7919) % 1_000_003, // distinct, in no order
      name: text(longest),
      platforms: below(4),
    }));
    const words = games.map(({ name }) => nameWords(name));
    const { index } = build(games);

    for (let i = 0; i < 1000; i++) {
      const name = games[below(size)]?.name ?? '';
      const query = queryWords(random() < 0.5 ? text(8) : name.slice(below(name.length)));
      const platforms = below(4);
      const limit = 1 + below(random() < 0.5 ? 5 : 100);
      const excluded = new Set(games.filter(() => random() < 0.02).map(({ num }) => num));
      const expected = games
        .filter((game, rank) => {
          const available = platforms === 0 || (game.platforms & platforms) !== 0;
          return available && !excluded.has(game.num) && matches(query, words[rank] ?? []);
        })
        .slice(0, limit)
        .map(({ num }) => num);
      expect(index.search(query, platforms, limit, excluded)).toEqual(expected);
    }
  });
});
