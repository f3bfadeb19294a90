import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, type OperationName } from '../model/operation.js';
import { computeCost, computePageCost, isExpensive, NO_COST } from './prices.js';

const units = (operation: OperationName, asked: number) => computeCost(operation, 200, asked, 0).quotaUnits;
const credits = (operation: OperationName, returned: number) => computeCost(operation, 200, returned, returned).credits;

/** The reference's tables, row by row. */
const UNITS: readonly [row: string, operations: readonly OperationName[], one: number, hundred: number][] = [
  ['Single-item fetch: 1', ['profiles.get', 'content.get', 'games.get'], 1, 1],
  ['Batch fetch: 1 per item', ['profiles.batch', 'content.batch', 'profiles.lookup'], 1, 100],
  [
    'List request: 1 per item',
    ['profiles.list', 'content.list', 'content.by_profile', 'content.by_game', 'games.search', 'profiles.search'],
    1,
    100,
  ],
  ['Analysis: 100 per request', ['analysis.get'], 100, 100],
  ['Audience: 100 per request', ['audience.get'], 100, 100],
  ['Socials: 10 per request', ['socials.get'], 10, 10],
  ['History: 10 per request', ['history.get'], 10, 10],
  ['Email endpoint: 10 per request', ['email.get'], 10, 10],
  ['Changes: at least 1', ['changes.list', 'games.changes'], 1, 1],
  ['Own usage: 0; what does not exist: 0', ['usage.get', 'unknown'], 0, 0],
];

const CREDITS: readonly [row: string, operation: OperationName, one: number, hundred: number][] = [
  ['Handle lookup: 1 when at least one mapping is returned', 'profiles.lookup', 1, 1],
  ['Game search: 2 per game returned', 'games.search', 2, 200],
  ['Search for creators: 1 per creator returned', 'profiles.search', 1, 100],
  ['Analysis: 100 when analysis is returned', 'analysis.get', 100, 100],
  ['Audience: 100 when audience analysis is returned', 'audience.get', 100, 100],
  ['Socials: 10 when social data is returned', 'socials.get', 10, 10],
  ['History: 10 where a point comes back', 'history.get', 10, 10],
];

describe('quota units', () => {
  it.each(UNITS)('%s', (_, operations, one, hundred) => {
    for (const operation of operations) {
      expect([operation, units(operation, 1), units(operation, 100)]).toEqual([operation, one, hundred]);
    }
  });

  it('are defined for every operation, and 0 for a request that asks for nothing but changes', () => {
    expect(UNITS.flatMap(([, operations]) => operations).toSorted()).toEqual([...OPERATIONS].toSorted());
    const charged = OPERATIONS.filter((operation) => units(operation, 0) > 0);
    expect(charged).toEqual(['changes.list', 'games.changes']);
  });
});

describe('marketplace credits', () => {
  it.each(CREDITS)('%s', (_, operation, one, hundred) => {
    expect([credits(operation, 1), credits(operation, 100)]).toEqual([one, hundred]);
  });

  it('Requests that return no data cost 0, and so does every other operation', () => {
    const priced = CREDITS.map(([, operation]) => operation);
    for (const operation of OPERATIONS) expect(credits(operation, 0)).toBe(0);
    const free = OPERATIONS.filter((operation) => !priced.includes(operation));
    for (const operation of free) expect(credits(operation, 100)).toBe(0);
  });
});

describe('an answer without data', () => {
  it('costs the units of what was asked for, and no credits, where there is none (404)', () => {
    expect(computeCost('analysis.get', 404, 1, 0)).toEqual({ quotaUnits: 100, credits: 0 });
  });

  it('costs no credits with 404, whatever is said of items', () => {
    expect(computeCost('analysis.get', 404, 1, 1).credits).toBe(0);
  });

  it.each([304, 400, 403, 404, 405, 413, 415, 429, 500, 503])('costs nothing as a %d of an unknown path', (status) => {
    expect(computeCost('unknown', status, 1, 0)).toEqual(NO_COST);
  });

  it.each([304, 400, 403, 413, 415, 429, 500, 503])('costs nothing with %d', (status) => {
    expect(computeCost('profiles.batch', status, 100, 0)).toEqual(NO_COST);
  });
});

describe('a page of changes', () => {
  it.each([
    ['profiles.get', 3, 3, 0],
    ['analysis.get', 2, 200, 200],
    ['socials.get', 1, 10, 10],
    ['email.get', 3, 30, 0],
    ['analysis.get', 0, 1, 0],
  ] as const)('costs as %s for each of %d records, and at least 1 unit', (lookUp, records, quotaUnits, asked) => {
    expect(computePageCost('changes.list', lookUp, records)).toEqual({ quotaUnits, credits: asked });
  });

  it('is expensive if one of its look-ups is', () => {
    expect([isExpensive('changes.list'), isExpensive('games.changes'), isExpensive('profiles.get')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
