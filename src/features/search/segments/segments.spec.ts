import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Profile } from '../../profiles/profile.js';
import { mergeSegments } from './merge-segments.mjs';
import { hashId, setBit } from './postings.mjs';
import { SegmentBuilder } from './segment-builder.mjs';
import { Segment } from './segment.mjs';

const folder = mkdtempSync(join(tmpdir(), 'creator-data-segments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WORDS = ['speed', 'speedrun', 'speedy', 'chess', 'x', 'ゲーム実況', 'half-life'];

function addCreator(builder: SegmentBuilder, number: number): void {
  const pick = <T>(values: readonly T[], factor: number) => values[(number * factor) % values.length] as T;
  const profile = {
    id: `${pick(['a', 'b', 'ü'], 5)}${number}`,
    name: `name_${number}`,
    display_name: pick(WORDS, 3),
    description: `${pick(WORDS, 5)} ${pick(WORDS, 11)}`,
    language: pick(['en', 'EN', 'de', null], 7),
    account_type: null,
    is_mature: number % 2 === 0,
  } as Profile;
  const gameIds = number % 90 === 0 ? ['rare'] : [];
  builder.add({ profile, analysis: null, has: [], gameIds }, number % 10, (number * 37) % 50);
}

function build(name: string, numbers: readonly number[]): Segment {
  const builder = new SegmentBuilder();
  for (const number of numbers) addCreator(builder, number);
  const path = join(folder, name);
  builder.write(path);
  return new Segment(path);
}

/** Returns everything that a segment has. */
function contentsOf(segment: Segment) {
  const ranks = Array.from({ length: segment.count }, (_, rank) => rank);
  const byActivity = new Uint32Array(segment.count);
  segment.readByActivity(0, byActivity);
  const termsOf = (table: 'words' | 'sets') =>
    Array.from(segment[table].withPrefix(''), ([term, postings]) => [
      term,
      postings.isBitmap,
      [...segment.readPostings(postings)],
    ]);
  return {
    ids: ranks.map((rank) => segment.idAt(rank).toString()),
    ranks: ranks.map((rank) => segment.rankOf(segment.idAt(rank))),
    followers: ranks.map((rank) => segment.followersAt(rank)),
    lastActive: ranks.map((rank) => segment.lastActiveAt(rank)),
    byActivity: [...byActivity],
    words: termsOf('words'),
    sets: termsOf('sets'),
  };
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe('the hash of an ID', () => {
  const ids = numbers(0, 20_000).map((number) => Buffer.from(`creator-${number}`));

  it('spreads consecutive IDs', () => {
    expect(new Set(ids.map((id) => hashId(id, [1, 2]))).size).toBeGreaterThan(ids.length - 5);
  });

  it('has other collisions under another key', () => {
    const slot = (id: Buffer, key: number) => hashId(id, [key, 7]) % 1000;
    const colliding = ids.filter((id) => slot(id, 1) === 0);
    expect(colliding.length).toBeGreaterThan(5);
    expect(new Set(colliding.map((id) => slot(id, 2))).size).toBeGreaterThan(colliding.length / 2);
  });

  it('depends on the length and on every byte', () => {
    const all = ['', '\0', '\0\0', '\0\0\0\0', 'abcd', 'abcd\0', 'abce', 'abcde', 'bbcde', 'abcdé'];
    expect(new Set(all.map((id) => hashId(Buffer.from(id), [1, 2]))).size).toBe(all.length);
  });
});

describe('a segment', () => {
  it('has the profiles by followers and by activity, then ID, both descending', () => {
    const segment = build('order', numbers(0, 500));
    const { ids, ranks, followers, lastActive, byActivity } = contentsOf(segment);
    const isDescending = (values: readonly number[], names: readonly string[]) =>
      values.every((value, at) => {
        const [before = Infinity, name = ''] = [values[at - 1], names[at - 1]];
        const [last, own] = [Buffer.from(name), Buffer.from(names[at] ?? '')];
        return at === 0 || value < before || (value === before && Buffer.compare(own, last) < 0);
      });
    expect(isDescending(followers, ids)).toBe(true);
    const active = byActivity.map((rank) => lastActive[rank] ?? 0);
    expect(
      isDescending(
        active,
        byActivity.map((rank) => ids[rank] ?? ''),
      ),
    ).toBe(true);
    expect(ranks).toEqual(numbers(0, 500));
    expect(segment.rankOf(Buffer.from('unknown'))).toBe(-1);
  });

  it('has a bitmap for each prefix of words that more than one in 32 profiles have, and a list of rare terms', () => {
    const segment = build('prefixes', numbers(0, 640));
    const frequent = [...segment.sets.withPrefix('p')].map(([term]) => term);
    expect(frequent).toEqual(
      expect.arrayContaining(['ps', 'pspeed', 'pspeedrun', 'pchess', 'phalflife', 'plife', 'pname1']),
    );
    expect(frequent).not.toContain('pname12');
    expect(segment.sets.find('grare\0rare')).toMatchObject({ isBitmap: false, count: 8 });
  });

  it('that was merged has what one of all living profiles has', () => {
    const parts = [
      build('part-1', numbers(0, 300)),
      build('part-2', numbers(300, 340)),
      build('part-3', numbers(340, 900)),
    ];
    const isDead = (number: number) => number % 7 === 0 && number < 340;
    const inputs = parts.map((segment, index) => {
      const dead = new Uint32Array(Math.ceil(segment.count / 32));
      for (const { id, rank } of contentsOf(segment).ids.map((name, at) => ({ id: name, rank: at }))) {
        if (isDead(Number(id.slice(1)))) setBit(dead, rank);
      }
      return { segment, dead: index === 2 ? null : dead };
    });
    mergeSegments(join(folder, 'merged'), inputs);
    const expected = build(
      'whole',
      numbers(0, 900).filter((number) => !isDead(number)),
    );
    expect(contentsOf(new Segment(join(folder, 'merged')))).toEqual(contentsOf(expected));
  });

  it('finds the terms with a prefix, also over several blocks and beyond the basic plane', () => {
    const builder = new SegmentBuilder();
    const letters = ['a', 'ab', 'b', 'é', '\ufb50', '𐐨', '𐐨b', 'z'];
    const words = letters.flatMap((letter) => numbers(0, 300).map((number) => letter + String(number)));
    for (const [number, word] of words.entries()) {
      const unknown = { display_name: null, description: null, language: null, account_type: null, is_mature: null };
      const profile = { id: String(number), name: word, ...unknown } as Profile;
      builder.add({ profile, analysis: null, has: [], gameIds: [] }, 0, 0);
    }
    builder.write(join(folder, 'many-terms'));
    const segment = new Segment(join(folder, 'many-terms'));
    const terms = [...segment.words.withPrefix('')];
    expect(terms.length).toBeGreaterThan(2000);
    for (const prefix of [...letters, 'a2', 'ab29', 'b299', 'b2990', 'c', '\ufb5029', '𐐨b0', 'zz', '\uffff']) {
      const expected = terms.filter(([term]) => term.startsWith(prefix));
      expect([...segment.words.withPrefix(prefix)]).toEqual(expected);
      const ranks = [...segment.readRanks(segment.words.rangeOf(prefix))].sort((a, b) => a - b);
      expect(ranks).toEqual(expected.flatMap(([, found]) => [...segment.readPostings(found)]).sort((a, b) => a - b));
      for (const [term, postings] of expected) expect(segment.words.find(term)).toEqual(postings);
    }
  });

  it('does not take half a surrogate pair for the character that stands for it', () => {
    const builder = new SegmentBuilder();
    const profile = { id: '1', name: 'x', display_name: null, description: null } as Profile;
    const unknown = { language: null, account_type: null, is_mature: null };
    builder.add({ profile: { ...profile, ...unknown }, analysis: null, has: [], gameIds: ['\ufffd'] }, 0, 0);
    builder.write(join(folder, 'replacement'));
    const { sets } = new Segment(join(folder, 'replacement'));
    expect([...sets.withPrefix('g\ufffd\0')]).toHaveLength(1);
    expect([...sets.withPrefix('g\ud800\0')]).toEqual([]);
  });

  it('may be empty', () => {
    const segment = build('empty', []);
    expect([segment.count, segment.rankOf(Buffer.from('x')), segment.words.rangeOf('x').length]).toEqual([0, -1, 0]);
  });

  it.each([0, 30, 5000])('is damaged if byte %d has another value', (at) => {
    build('damaged', numbers(0, 200)).close();
    const path = join(folder, 'damaged');
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(path, bytes);
    expect(() => new Segment(path).verify()).toThrow(/is damaged|has another version/);
  });
});
