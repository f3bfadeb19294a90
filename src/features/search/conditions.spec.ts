import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { queryWords } from '../games/search-words.mjs';
import type { Profile } from '../profiles/profile.js';
import { ConditionFactory } from './conditions.js';
import { ScratchBitmaps } from './scratch-bitmaps.js';
import { SegmentSearch } from './segment-search.js';
import { SegmentBuilder } from './segments/segment-builder.mjs';
import { Segment } from './segments/segment.mjs';

/** Arabic ligature that stands for four words. */
const LIGATURE = '\ufdfa';

const folder = mkdtempSync(join(tmpdir(), 'creator-data-conditions-'));
afterAll(() => rmSync(folder, { recursive: true }));

let segment: Segment;
beforeAll(() => {
  const builder = new SegmentBuilder();
  const names = ['other', `${LIGATURE}${LIGATURE}`, `${LIGATURE}-a ${LIGATURE}-b`];
  for (let number = 0; number < 300; number += 1) {
    const profile = {
      id: `c${number}`,
      name: names[number] ?? 'other',
      display_name: null,
      description: null,
    } as Profile;
    const rest = { language: number < 4 ? 'de' : null, account_type: null, is_mature: null };
    builder.add({ profile: { ...profile, ...rest }, analysis: null, has: [], gameIds: [] }, 300 - number, 0);
  }
  builder.write(join(folder, 'segment'));
  segment = new Segment(join(folder, 'segment'));
});

describe('the words of a text', () => {
  /** Takes all steps. */
  function finish<T>(steps: Generator<void, T>): T {
    let result = steps.next();
    while (result.done !== true) result = steps.next();
    return result.value;
  }

  /** @returns the IDs that a text finds, and how many bitmaps its conditions hold */
  function find(text: string) {
    const scratch = new ScratchBitmaps();
    const criteria = { followers: null, lastActiveAfter: null, values: [] };
    const query = { filters: criteria, not: criteria, excludedIds: [], sort: 'followers', order: 'desc' } as const;
    const search = finish(SegmentSearch.create(segment, null, { ...query, words: queryWords(text) }, scratch));
    const held = scratch.mark();
    return { ids: finish(search.find(null, 10, null)).map(({ id }) => id), held };
  }

  it('are looked up once if characters that stand for several words repeat', () => {
    const { ids, held } = find(LIGATURE.repeat(200));
    expect(ids).toEqual(['c1']);
    expect(held).toBeLessThan(10);
  });

  it('are looked up once if several words have them', () => {
    const words = Array.from(
      { length: 50 },
      (_, index) => `${LIGATURE}-${'ab'.charAt(index % 2)}.${'ab'.charAt(index % 3)}`,
    );
    const { ids, held } = find(words.join(' '));
    expect(ids).toEqual(['c2']);
    expect(held).toBeLessThan(10);
  });

  it('are looked up only up to the first that no profile has', () => {
    const words = Array.from({ length: 40 }, (_, index) => `zz${index}`);
    expect(find(words.join('-'))).toEqual({ ids: [], held: 0 });
  });
});

describe('the values of a filter', () => {
  it('are read once if they repeat, each other one in a step of its own', () => {
    const factory = new ConditionFactory(segment, new ScratchBitmaps());
    const stepsOf = (values: readonly string[]) => {
      const steps = factory.hasValue('language', values);
      let count = 0;
      for (let step = steps.next(); ; step = steps.next(), count += 1) {
        if (step.done === true) return { count, profiles: step.value.estimate };
      }
    };
    expect(stepsOf(['de', 'DE', 'De', 'de'])).toEqual({ count: 1, profiles: 4 });
    expect(stepsOf(['de', 'en', 'DE'])).toEqual({ count: 2, profiles: 4 });
  });
});
