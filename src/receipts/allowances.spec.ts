import { describe, expect, it } from '@jest/globals';
import { aUsageRecord } from '../../test/support/records/builders.js';
import {
  admit,
  fitsAllowance,
  monthOfDay,
  nextMonthSeconds,
  reachedPercent,
  usedRatio,
  type MonthAllowance,
} from './allowances.js';
import { groupByDay, type UsageRecord } from './usage-record.js';

const units = (monthUnits: number): MonthAllowance => ({ monthUnits, monthCredits: null });
const credits = (monthCredits: number): MonthAllowance => ({ monthUnits: null, monthCredits });
const cost = (quotaUnits: number, creditsUsed = 0) => ({ quotaUnits, credits: creditsUsed });

describe('a request', () => {
  it.each([
    ['up to the allowance', units(10), cost(7), cost(3), true],
    ['not above it', units(10), cost(7), cost(4), false],
    ['up to the credits', credits(10), cost(0, 7), cost(9, 3), true],
    ['not above the credits', credits(10), cost(0, 7), cost(9, 4), false],
    ['only if it fits both', { monthUnits: 10, monthCredits: 5 }, cost(0, 5), cost(1, 1), false],
    ['without credits when these are used up', { monthUnits: 10, monthCredits: 5 }, cost(0, 5), cost(1), true],
    [
      'not above an allowance that is exceeded already',
      { monthUnits: 10, monthCredits: 5 },
      cost(0, 6),
      cost(1),
      false,
    ],
    ['that is free, however much is used', units(10), cost(20), cost(0), true],
  ])('fits %s', (_, allowance, used, price, expected) => {
    expect(fitsAllowance(allowance, used, price)).toBe(expected);
  });
});

describe('a month', () => {
  it('is that of the UTC day', () => {
    expect([monthOfDay(20260101), monthOfDay(20261231)]).toEqual([202601, 202612]);
  });

  it.each([
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z'],
    ['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00Z'],
  ])('that contains %s ends at %s', (instant, end) => {
    expect(nextMonthSeconds(Date.parse(instant))).toBe(Date.parse(end) / 1000);
  });
});

describe('the used part of an allowance', () => {
  it.each([
    [units(10), cost(5, 100), 0.5],
    [{ monthUnits: 10, monthCredits: 10 }, cost(5, 8), 0.8],
    [{ monthUnits: 10, monthCredits: 10 }, cost(9, 8), 0.9],
    [units(0), cost(0), 1],
    [units(10), cost(15), 1.5],
  ])('of %j after %j is %d', (allowance, used, expected) => {
    expect(usedRatio(allowance, used)).toBe(expected);
  });

  it.each([
    [79, 0],
    [80, 80],
    [99, 80],
    [100, 100],
    [250, 100],
  ])('of %d percent reaches the threshold of %d', (used, percent) => {
    expect(reachedPercent(units(100), cost(used))).toBe(percent);
  });
});

describe('records are admitted', () => {
  const record = (quota_units: number, given: Partial<UsageRecord> = {}) =>
    aUsageRecord({ status: 200, quota_units, items_returned: quota_units, ...given });
  const admitted = (records: readonly UsageRecord[], allowance: MonthAllowance | null, before = cost(0)) =>
    admit(
      groupByDay(records),
      new Map(records.flatMap((each) => (allowance === null ? [] : [[each, allowance]]))),
      () => before,
    );

  it('in their order while they fit, and smaller ones behind one that does not', () => {
    const records = [record(4), record(5), record(2), record(1)];
    const { groups, charges, checks } = admitted(records, units(10), cost(2));
    expect(groups[0]?.records.map(({ status, quota_units }) => [status, quota_units])).toEqual([
      [200, 4],
      [402, 0],
      [200, 2],
      [200, 1],
    ]);
    expect(records.map((each) => checks.get(each)?.used.quotaUnits)).toEqual([6, 6, 8, 9]);
    expect(charges).toMatchObject([{ keyId: 'key_a', month: 202601, added: cost(7), used: cost(9), bound: units(10) }]);
  });

  it('a refused one without cost and items', () => {
    const given = record(5, { credits: 5 });
    expect(admitted([given], credits(4)).groups[0]?.records).toEqual([
      { ...given, status: 402, quota_units: 0, credits: 0, items_returned: 0 },
    ]);
  });

  it('separately for each key and month', () => {
    const [one, two] = [record(6), record(6, { key_id: 'key_b' })];
    const next = record(6, { occurred_at: Date.UTC(2026, 1, 1) });
    const { checks, charges } = admitted([one, two, next], units(10));
    expect([one, two, next].map((each) => checks.get(each)?.isRejected)).toEqual([false, false, false]);
    expect(charges.map(({ keyId, month }) => [keyId, month])).toEqual([
      ['key_a', 202601],
      ['key_b', 202601],
      ['key_a', 202602],
    ]);
  });

  it('without an allowance always, and count for those with one', () => {
    const [before, after] = [record(50), record(1)];
    const { checks, charges } = admit(groupByDay([before, after]), new Map([[after, units(50)]]), () => cost(0));
    expect([checks.has(before), checks.get(after)?.isRejected]).toEqual([false, true]);
    expect(charges).toMatchObject([{ added: cost(50), bound: { monthUnits: null, monthCredits: null } }]);
    const rejection = record(0, { key_id: null });
    expect(admitted([rejection], units(1)).checks.size).toBe(0);
  });

  it('by the higher bound while the allowance changes', () => {
    const [small, large] = [record(1), record(1)];
    const allowances = new Map([
      [small, { monthUnits: 5, monthCredits: 9 }],
      [large, { monthUnits: 7, monthCredits: 3 }],
    ]);
    expect(admit(groupByDay([small, large]), allowances, () => cost(0)).charges).toMatchObject([
      { bound: { monthUnits: 7, monthCredits: 9 } },
    ]);
  });
});

describe('a page that does not fit', () => {
  const record = aUsageRecord({ key_id: 'key_a', quota_units: 300, credits: 300, items_returned: 3 });
  const shorter = [2, 1].map((count) => ({ quota_units: count * 100, credits: count * 100, items_returned: count }));
  const admitPage = (monthUnits: number) => {
    const allowances = new Map([[record, { monthUnits, monthCredits: null, shorter }]]);
    const { groups, charges, checks } = admit(groupByDay([record]), allowances, () => cost(0));
    const check = checks.get(record);
    const [recorded] = groups.flatMap(({ records }) => records);
    return { check, recorded, charge: charges[0] };
  };

  it.each([
    [300, null, 3],
    [299, 0, 2],
    [199, 1, 1],
  ])('of %d units becomes the longest form that fits: %d', (monthUnits, form, items) => {
    const { check, recorded, charge } = admitPage(monthUnits);
    expect([check?.shorterForm, check?.isRejected]).toEqual([form, false]);
    expect(recorded).toMatchObject({ status: record.status, quota_units: items * 100, items_returned: items });
    expect(charge?.added).toEqual(cost(items * 100, items * 100));
    expect(check?.used.quotaUnits).toBe(items * 100);
    // The store is asked again before less is given than was asked for.
    expect(charge?.hasRejected).toBe(form !== null);
  });

  it('becomes a 402 if no form fits', () => {
    const { check, recorded } = admitPage(99);
    expect([check?.shorterForm, check?.isRejected]).toEqual([null, true]);
    expect(recorded).toMatchObject({ status: 402, quota_units: 0, credits: 0, items_returned: 0 });
  });
});
