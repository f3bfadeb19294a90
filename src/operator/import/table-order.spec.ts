import { describe, expect, it } from '@jest/globals';
import { sortByTableKey, keepLatest, selectRepeated, sliceRecords, type KeyedRecord } from './table-order.js';

const record = (identity: string, { sortKey = identity, characters = 10, number = 0 } = {}) => ({
  identity,
  sortKey,
  characters,
  number,
});

describe('inTableOrder', () => {
  const numbersOf = (records: readonly ReturnType<typeof record>[]) =>
    sortByTableKey(records).map(({ number }) => number);

  it('sorts records by sort key, and keeps the order of records with the same one', () => {
    const records = ['d', 'b', 'a', 'c', 'b2', 'a2'].map((id) => record(id, { sortKey: id.slice(0, 1) }));
    expect(sortByTableKey(records).map(({ identity }) => identity)).toEqual(['a', 'a2', 'b', 'b2', 'c', 'd']);
  });

  it('compares sort keys by UTF-16 code units', () => {
    const ids = ['é', 'a', 'Z', '10', '9', ''];
    expect(sortByTableKey(ids.map((id) => record(id))).map(({ identity }) => identity)).toEqual([...ids].sort());
  });

  it('makes records with the same identity adjacent, in their original order', () => {
    const ids = ['x', 'y', 'x', 'z', 'x', 'y'];
    expect(numbersOf(ids.map((id, number) => record(id, { number })))).toEqual([0, 2, 4, 1, 5, 3]);
  });

  it('uses the sort key of the last record with the same identity', () => {
    const ids = ['x', 'y', 'x', 'z', 'x', 'y'];
    const records = ids.map((id, number) => record(id, { number, sortKey: String(9 - number) }));
    expect(numbersOf(records)).toEqual([1, 5, 0, 2, 4, 3]);
  });

  it('returns the given objects in a new array', () => {
    const records = [record('b'), record('a')];
    const sorted = sortByTableKey(records);
    expect(sorted[0]).toBe(records[1]);
    expect(records.map(({ identity }) => identity)).toEqual(['b', 'a']);
    expect(sortByTableKey([])).toEqual([]);
  });
});

describe('slicesOf', () => {
  const sizes = (records: readonly KeyedRecord[], mostRecords: number, characters: number) =>
    [...sliceRecords(records, { records: mostRecords, characters })].map(({ length }) => length);
  const seven = Array.from({ length: 7 }, (_, number) => record(String(number), { number }));

  it('ends a slice at the limit of records or of characters', () => {
    expect(sizes(seven, 3, 1000)).toEqual([3, 3, 1]);
    expect(sizes(seven, 7, 1000)).toEqual([7]);
    expect(sizes(seven, 100, 20)).toEqual([2, 2, 2, 1]);
    expect(sizes(seven, 100, 1)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(sizes([], 1, 1)).toEqual([]);
  });

  it('keeps records with the same identity together', () => {
    const records = ['a', 'b', 'b', 'b', 'c', 'd', 'd'].map((id) => record(id));
    expect(sizes(records, 2, 1000)).toEqual([4, 3]);
    expect(sizes(records, 100, 10)).toEqual([1, 3, 1, 2]);
  });

  it('yields every record once, in order', () => {
    expect([...sliceRecords(seven, { records: 2, characters: 1000 })].flat()).toEqual(seven);
  });
});

describe('latestOf', () => {
  it('returns the last of adjacent records with the same identity', () => {
    const records = ['a', 'a', 'b', 'c', 'c', 'c'].map((id, number) => record(id, { number }));
    expect(keepLatest(records).map(({ number }) => number)).toEqual([1, 2, 5]);
    expect(keepLatest([])).toEqual([]);
  });
});

describe('selectRepeated', () => {
  it('returns the records that have an adjacent one with the same identity', () => {
    const records = ['a', 'b', 'b', 'c', 'd', 'd', 'd', 'e'].map((id, number) => record(id, { number }));
    expect(selectRepeated(records).map(({ number }) => number)).toEqual([1, 2, 4, 5, 6]);
    expect(selectRepeated([])).toEqual([]);
  });
});
