import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { CreatorAnalysis } from '../analysis/creator-analysis.js';
import type { Profile } from '../profiles/profile.js';
import { FacetCounter } from './facet-counts.js';
import { FacetValues } from './facet-values.js';
import type { ReadableSegment } from './open-segment.js';
import { ScratchBitmaps } from './scratch-bitmaps.js';
import type { FacetCount } from './search-query.js';
import { hasBit, setBit } from './segments/postings.mjs';
import { SegmentBuilder } from './segments/segment-builder.mjs';
import { Segment } from './segments/segment.mjs';

const folder = mkdtempSync(join(tmpdir(), 'creator-data-facets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Largest number of steps that a test may take. */
const MANY_STEPS = 1_000_000;

let files = 0;

/** Writes a segment of creators with the given topics. @param deadEvery of how many profiles one is dead; 0 for none */
function open(
  creators: readonly (readonly string[])[],
  deadEvery = 0,
): ReadableSegment & { topics: readonly string[][] } {
  const builder = new SegmentBuilder();
  for (const [number, topics] of creators.entries()) {
    const profile = { id: `c${number}`, name: null, display_name: null, description: null } as Profile;
    const rest = { language: null, account_type: null, is_mature: null };
    const [first = '', ...others] = topics;
    const analysis = {
      primary_classification: { topic: first, category: first },
      classifications: others.map((topic) => ({ topic, category: topic })),
      residence: null,
    } as unknown as CreatorAnalysis;
    builder.add({ profile: { ...profile, ...rest }, analysis, has: [], gameIds: [] }, number, number);
  }
  const name = `${(files += 1)}`;
  builder.write(join(folder, name));
  const segment = new Segment(join(folder, name));
  const topics = Array.from({ length: segment.count }, (_, rank) => {
    const number = Number(segment.idAt(rank).toString().slice(1));
    return [...(creators[number] ?? [])];
  });
  const dead = deadEvery === 0 ? null : bitsOf(segment.count, (rank) => rank % deadEvery === 0);
  const entry = { name, count: segment.count, dead: null, deadCount: 0 };
  return { entry, segment, dead, values: new Map(), topics };
}

function bitsOf(size: number, has: (rank: number) => boolean): Uint32Array {
  const bits = new Uint32Array(Math.ceil(size / 32));
  for (let rank = 0; rank < size; rank++) if (has(rank)) setBit(bits, rank);
  return bits;
}

/** Takes all steps. */
function finish<T>(steps: Generator<void, T>): { result: T; steps: number } {
  for (let taken = 1; taken < MANY_STEPS; taken += 1) {
    const next = steps.next();
    if (next.done === true) return { result: next.value, steps: taken };
  }
  throw new Error('takes too many steps');
}

/** Counts topics by looking at each creator. */
function countByScan(
  segments: readonly ReturnType<typeof open>[],
  matched: readonly Uint32Array[],
  isFolded: boolean,
): FacetCount[] {
  const keyOf = (topic: string) => (isFolded ? topic.toLowerCase() : topic);
  const tally = (isCounted: (segment: number, rank: number) => boolean, key: (topic: string) => string) => {
    const counts = new Map<string, number>();
    for (const [index, { topics }] of segments.entries()) {
      for (const [rank, own] of topics.entries()) {
        if (!isCounted(index, rank)) continue;
        for (const topic of new Set(own.map(key))) counts.set(topic, (counts.get(topic) ?? 0) + 1);
      }
    }
    return counts;
  };
  const byCount = (a: readonly [string, number], b: readonly [string, number]) =>
    b[1] - a[1] || Buffer.compare(Buffer.from(a[0]), Buffer.from(b[0]));
  const displayed = new Map<string, string>();
  const isLiving = (index: number, rank: number) => {
    const dead = segments[index]?.dead ?? null;
    return dead === null || !hasBit(dead, rank);
  };
  for (const [text] of [...tally(isLiving, (topic) => topic)].sort(byCount)) {
    if (!displayed.has(keyOf(text))) displayed.set(keyOf(text), text);
  }
  const isMatched = (index: number, rank: number) => hasBit(matched[index] ?? new Uint32Array(0), rank);
  return Array.from(tally(isMatched, keyOf), ([key, count]) => [displayed.get(key) ?? '', count] as const)
    .sort(byCount)
    .slice(0, 20)
    .map(([value, count]) => ({ value, count }));
}

/** Counts topics. */
function count(segments: readonly ReturnType<typeof open>[], has: (rank: number) => boolean) {
  const scratch = new ScratchBitmaps();
  const matched = segments.map(({ segment, dead }) =>
    bitsOf(segment.count, (rank) => has(rank) && !(dead !== null && hasBit(dead, rank))),
  );
  const values = new FacetValues(segments, 'topics');
  const counter = new FacetCounter(segments, matched, scratch);
  const { result, steps } = finish(counter.count(new Map([['topics', values]])));
  return { found: result.topics, expected: countByScan(segments, matched, true), steps, held: scratch.mark() };
}

const numbers = (size: number): number[] => Array.from({ length: size }, (_, number) => number);

describe('counts of a facet', () => {
  it('are exact with 60,000 values that tie, in steps, and hold no bitmaps', () => {
    const rare = open(numbers(15_000).map((number) => numbers(4).map((index) => `Cat ${number} ${index}`)));
    const { found, expected, steps, held } = count([rare], () => true);
    expect(found).toEqual(expected);
    expect(steps).toBeGreaterThan(100);
    expect(held).toBe(0);
  });

  it('are exact with ties of values that have several spellings in several segments', () => {
    const spell = (text: string, kind: number) =>
      [text, text.toUpperCase(), `${text} B`.toUpperCase()][kind % 3] as string;
    const segments = [0, 1, 2].map((part) =>
      open(
        numbers(600 - part * 250).map((number) => [
          spell(`topic ${number % 300}`, number + part),
          spell(`topic ${number % 300}`, number + part + 1),
          spell(number % 2 === 0 ? 'music' : 'Gaming', part),
        ]),
        part === 0 ? 3 : 0,
      ),
    );
    for (const every of [1, 2, 7, 50]) {
      const { found, expected } = count(segments, (rank) => rank % every === 0);
      expect({ every, found }).toEqual({ every, found: expected });
    }
  });

  it('are exact in tiny segments, in which every value is frequent', () => {
    const segments = numbers(40).map((part) => open([[`t${part % 25}`, 'all'], [`t${part}`]]));
    const { found, expected } = count(segments, () => true);
    expect(found).toEqual(expected);
  });

  it('read no rare values if none can be among the most frequent ones', () => {
    const creators = numbers(3000).map((number) => [`rare ${number}`, `common ${number % 20}`]);
    const segment = open(creators);
    const values = new FacetValues([segment], 'topics');
    finish(values.prepare());
    const matched = [bitsOf(3000, () => true)];
    const counter = new FacetCounter([segment], matched, new ScratchBitmaps());
    const { steps, result } = finish(counter.count(new Map([['topics', values]])));
    expect(result.topics).toHaveLength(20);
    expect(steps).toBe(21);
  });

  it('are prepared once by several searches that take steps in turn', () => {
    const segment = open(numbers(2000).map((number) => [`t${number}`]));
    const values = new FacetValues([segment], 'topics');
    const alone = finish(new FacetValues([open(numbers(2000).map((number) => [`t${number}`]))], 'topics').prepare());
    const [first, second] = [values.prepare(), values.prepare()];
    let steps = 0;
    for (let isDone = false; !isDone; steps += 2) isDone = [first.next(), second.next()].every(({ done }) => done);
    expect(values.count).toBe(2000);
    expect(steps).toBeLessThanOrEqual(alone.steps + 3);
  });
});
