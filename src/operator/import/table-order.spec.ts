import { describe, expect, it } from '@jest/globals';
import { inTableOrder, latestOf, slicesOf, type Placed } from './table-order.js';

const record = (identity: string, { place = identity, characters = 10, number = 0 } = {}) => ({
  identity,
  place,
  characters,
  number,
});

describe('records in table order', () => {
  const numbersOf = (records: readonly ReturnType<typeof record>[]) =>
    inTableOrder(records).map(({ number }) => number);

  it('are sorted by their place, those of the same place as they came', () => {
    const records = ['d', 'b', 'a', 'c', 'b2', 'a2'].map((id) => record(id, { place: id.slice(0, 1) }));
    expect(inTableOrder(records).map(({ identity }) => identity)).toEqual(['a', 'a2', 'b', 'b2', 'c', 'd']);
  });

  it('are sorted by code units, as every place is made the same way', () => {
    const ids = ['é', 'a', 'Z', '10', '9', ''];
    expect(inTableOrder(ids.map((id) => record(id))).map(({ identity }) => identity)).toEqual([...ids].sort());
  });

  it('follow each other in the order of lines when they are about the same thing', () => {
    const ids = ['x', 'y', 'x', 'z', 'x', 'y'];
    expect(numbersOf(ids.map((id, number) => record(id, { number })))).toEqual([0, 2, 4, 1, 5, 3]);
  });

  it('take the place of the last about the same thing', () => {
    const ids = ['x', 'y', 'x', 'z', 'x', 'y'];
    const records = ids.map((id, number) => record(id, { number, place: String(9 - number) }));
    expect(numbersOf(records)).toEqual([1, 5, 0, 2, 4, 3]);
  });

  it('are the given ones, which stay as they were', () => {
    const records = [record('b'), record('a')];
    const sorted = inTableOrder(records);
    expect(sorted[0]).toBe(records[1]);
    expect(records.map(({ identity }) => identity)).toEqual(['b', 'a']);
    expect(inTableOrder([])).toEqual([]);
  });
});

describe('slices', () => {
  const sizes = (records: readonly Placed[], mostRecords: number, characters: number) =>
    [...slicesOf(records, { records: mostRecords, characters })].map(({ length }) => length);
  const seven = Array.from({ length: 7 }, (_, number) => record(String(number), { number }));

  it('have so many records, or fewer whose documents are long', () => {
    expect(sizes(seven, 3, 1000)).toEqual([3, 3, 1]);
    expect(sizes(seven, 7, 1000)).toEqual([7]);
    expect(sizes(seven, 100, 20)).toEqual([2, 2, 2, 1]);
    expect(sizes(seven, 100, 1)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(sizes([], 1, 1)).toEqual([]);
  });

  it('hold every record once, in order', () => {
    expect([...slicesOf(seven, { records: 2, characters: 1000 })].flat()).toEqual(seven);
  });
});

describe('the latest', () => {
  it('are the last of neighbours about the same thing', () => {
    const records = ['a', 'a', 'b', 'c', 'c', 'c'].map((id, number) => record(id, { number }));
    expect(latestOf(records).map(({ number }) => number)).toEqual([1, 2, 5]);
    expect(latestOf([])).toEqual([]);
  });
});
