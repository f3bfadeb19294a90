import { describe, expect, it } from '@jest/globals';
import { countCreators } from './status.js';
import { IDENTITY, initialState, type TargetState } from './target-state.js';
import { YOUTUBE } from './youtube.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-01-10T00:00:00Z');

/** Counts one creator who is asked about every ten hours. */
const count = (state: Partial<TargetState>) => {
  const everyMs = 10 * HOUR_MS;
  const known = { ...initialState('UC1', everyMs, null), list: 'UU1', ...state };
  const target = { name: 'UC1', handle: null, everyMs, state: known };
  return countCreators(YOUTUBE, [target], NOW);
};
const ago = (hours: number) => NOW - hours * HOUR_MS;

describe('countCreators', () => {
  it('counts somebody who was never asked about as due, not late', () => {
    expect(count({})).toMatchObject({ due: 1, late: 0 });
  });

  it.each([
    [1, 0],
    [3, 1],
  ])('judges a step that was never answered by the identity, answered %i hours ago', (hours, late) => {
    expect(count({ asked: { [IDENTITY]: ago(hours) } })).toMatchObject({ due: 1, late });
  });

  it.each([
    [1, 0],
    [3, 1],
  ])('judges items that wait for their description by the identity, answered %i hours ago', (hours, late) => {
    const asked = { [IDENTITY]: ago(hours), playlistItems: ago(hours) };
    expect(count({ asked, pending: ['v1'] })).toMatchObject({ due: 1, late });
  });

  it('counts a creator with one late step', () => {
    expect(count({ asked: { [IDENTITY]: ago(1), playlistItems: ago(13) } })).toMatchObject({ due: 1, late: 1 });
  });

  it('does not count a call that was interrupted as failed', () => {
    expect(count({ retries: { [IDENTITY]: 0 } })).toMatchObject({ failing: 0 });
    expect(count({ retries: { [IDENTITY]: NOW } })).toMatchObject({ failing: 1 });
  });
});
