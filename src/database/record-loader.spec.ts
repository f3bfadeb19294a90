import { describe, expect, it } from '@jest/globals';
import type { Dialect } from './columns.js';
import type { Database, Row } from './database.js';
import { RecordLoader } from './record-loader.js';

const LOOKUP = { table: 't', group: 'platform', id: 'id', index: 'PRIMARY', columns: ['document'] };

/** Answers every ID with a row of its group; notes what it was asked. */
function storeThatFailsFor(failing: number | null, dialect: Dialect = 'mysql') {
  const asked: [group: number | null, ids: number][] = [];
  const findMany = async (_lookup: unknown, group: number | null, ids: readonly string[]): Promise<Row[]> => {
    asked.push([group, ids.length]);
    if (group === failing) throw new Error(`group ${group} cannot be read`);
    return ids.map((id) => [id, `${group}:${id}`]);
  };
  return { asked, loader: new RecordLoader({ dialect, findMany } as unknown as Database, LOOKUP, false) };
}

describe('look-ups of one turn of the event loop', () => {
  it('share a query of their group', async () => {
    const { asked, loader } = storeThatFailsFor(null);
    await Promise.all(['a', 'b', 'a', 'c'].map((id) => loader.find(1, id)));
    expect(asked).toEqual([[1, 3]]);
  });

  it.each([
    ['five', 'mysql', [6, 3]],
    ['two', 'sqlite', [3, 3, 3, 2]],
  ] as const)('share a query as batches too, %s at a time on %s', async (_, dialect, sizes) => {
    const { asked, loader } = storeThatFailsFor(null, dialect);
    const batches = Array.from({ length: 7 }, (_, at) => ['shared', `own ${at}`]);
    const found = await Promise.all(batches.map((ids) => loader.findMany(1, ids)));
    expect(found).toEqual(batches.map((ids) => ids.map((id) => [id, `1:${id}`])));
    expect(asked).toEqual(sizes.map((size) => [1, size]));
  });

  it('fail with their own group only', async () => {
    const { loader } = storeThatFailsFor(2);
    const [one, two, single] = await Promise.allSettled([
      loader.findMany(1, ['a']),
      loader.findMany(2, ['a']),
      loader.find(2, 'b'),
    ]);
    expect([one.status, two.status, single.status]).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});
