import { describe, expect, it } from '@jest/globals';
import { JoinedDocuments } from '../document-list.js';
import { unpackedBatch, unpackedPage, unpackedRows } from './sqlite-packing.js';

const bytes = () => Buffer.from('{"é":1},{"b":22},{"c":3}');
const LENGTHS = '[8,8,7]';

describe('a page in one piece', () => {
  it.each([
    [1, '{"é":1}'],
    [2, '{"é":1},{"b":22}'],
    [3, '{"é":1},{"b":22},{"c":3}'],
    [4, '{"é":1},{"b":22},{"c":3}'],
  ])('of three rows of which %i are wanted has these alone', (limit, text) => {
    const page = unpackedPage([bytes(), LENGTHS, '[30,20,10]', '["x","y","z"]'], limit);
    const documents = page.documents as JoinedDocuments;
    expect([documents.bytes.toString(), documents.length]).toEqual([text, Math.min(limit, 3)]);
    expect([page.sortValues, page.ids]).toEqual([
      [30, 20, 10],
      ['x', 'y', 'z'],
    ]);
  });

  it('comes document by document where a row has none', () => {
    const { documents } = unpackedPage([Buffer.from('{"a":1},{"b":22}'), '[7,null,8]', '[3,2,1]', '["x","y","z"]'], 3);
    expect((documents as (Buffer | null)[]).map(String)).toEqual(['{"a":1}', 'null', '{"b":22}']);
  });

  it('is empty without rows', () => {
    expect(unpackedPage([null, '[]', '[]', '[]'], 5)).toEqual({ documents: [], sortValues: [], ids: [] });
  });
});

describe('a batch in one piece', () => {
  const ids = ['x', 'y', 'z'];

  it('tells which IDs have no document', () => {
    const found = unpackedBatch([Buffer.from('{"a":1},{"c":3}'), '[0,2]'], ids);
    expect(found.missing).toEqual(['y']);
    expect(found.documents).toHaveLength(2);
  });

  it('misses none where all are there, and all where none is', () => {
    expect(unpackedBatch([bytes(), '[0,1,2]'], ids).missing).toEqual([]);
    expect(unpackedBatch([null, '[]'], ids)).toEqual({ documents: [], missing: ids });
  });
});

describe('rows with their documents in one piece', () => {
  it('have each document in its place among the columns', () => {
    const rows = unpackedRows([bytes(), LENGTHS, '[0,1,2]', '["n","o","p"]'], 1);
    expect(rows.map((row) => row.map(String))).toEqual([
      ['0', '{"é":1}', 'n'],
      ['1', '{"b":22}', 'o'],
      ['2', '{"c":3}', 'p'],
    ]);
  });
});
