import { describe, expect, it } from '@jest/globals';
import type { Database } from './database.js';
import { RecordLoader } from './record-loader.js';

class Item {
  platform: number;
  id: string;
  document: Buffer;
}

/** Creates a store that has a row for every ID and records its queries. */
function storeFailingFor(failing: number | null) {
  const queries: [group: number | null, ids: number][] = [];
  const findMany = async (_lookup: unknown, group: number | null, ids: readonly string[]) => {
    queries.push([group, ids.length]);
    if (group === failing) throw new Error(`group ${group} cannot be read`);
    return ids.filter((id) => id !== 'unknown').map((id) => ({ id, document: Buffer.from(`${group}:${id}`) }));
  };
  const database = { findMany, lookup: () => ({ sql: '' }) } as unknown as Database;
  const loader = new RecordLoader(database, { entity: Item, group: 'platform', id: 'id', columns: ['document'] });
  return { queries, loader };
}

describe('look-ups in one turn of the event loop', () => {
  it('share one query per group', async () => {
    const { queries, loader } = storeFailingFor(null);
    await Promise.all(['a', 'b', 'a', 'c'].map((id) => loader.find(1, id)));
    expect(queries).toEqual([[1, 3]]);
  });

  it('share one query per five batches', async () => {
    const { queries, loader } = storeFailingFor(null);
    const batches = Array.from({ length: 7 }, (_, at) => ['shared', `own ${at}`]);
    const found = await Promise.all(batches.map((ids) => loader.findMany(1, ids)));
    expect(found).toEqual(batches.map((ids) => ids.map((id) => ({ id, document: Buffer.from(`1:${id}`) }))));
    expect(queries).toEqual([
      [1, 6],
      [1, 3],
    ]);
  });

  it('return the documents found and the IDs without one', async () => {
    const { loader } = storeFailingFor(null);
    const [some, none] = await Promise.all([
      loader.findDocuments(1, ['b', 'unknown', 'a']),
      loader.findDocuments(1, ['unknown']),
    ]);
    expect(some).toEqual({ documents: ['1:b', '1:a'].map((text) => Buffer.from(text)), missing: ['unknown'] });
    expect(none).toEqual({ documents: [], missing: ['unknown'] });
  });

  it('fail only with their own group', async () => {
    const { loader } = storeFailingFor(2);
    const [one, two, single] = await Promise.allSettled([
      loader.findMany(1, ['a']),
      loader.findMany(2, ['a']),
      loader.find(2, 'b'),
    ]);
    expect([one.status, two.status, single.status]).toEqual(['fulfilled', 'rejected', 'rejected']);
  });
});

describe('look-ups that arrive while a query is in flight', () => {
  /** Creates a store whose first query is in flight until `answer` is called. */
  function storeWithPendingQuery() {
    const queries: number[] = [];
    let answer = () => {};
    const first = new Promise<void>((resolve) => (answer = resolve));
    const findMany = async (_lookup: unknown, group: number | null, ids: readonly string[]) => {
      queries.push(ids.length);
      if (queries.length === 1) await first;
      return ids.map((id) => ({ id, document: Buffer.from(`${group}:${id}`) }));
    };
    const database = { findMany, lookup: () => ({ sql: '' }) } as unknown as Database;
    const loader = new RecordLoader(database, { entity: Item, group: 'platform', id: 'id', columns: ['document'] });
    return { queries, loader, answer: () => answer() };
  }

  it('share the next query', async () => {
    const { queries, loader, answer } = storeWithPendingQuery();
    const first = loader.find(1, 'a');
    await nextTurn();
    const second = loader.find(1, 'b');
    await nextTurn();
    const third = loader.find(1, 'c');
    answer();
    await Promise.all([first, second, third]);
    expect(queries).toEqual([1, 2]);
  });

  it('do not wait for a query that hangs', async () => {
    const { queries, loader, answer } = storeWithPendingQuery();
    const first = loader.find(1, 'a');
    await nextTurn();
    await expect(loader.find(1, 'b')).resolves.toMatchObject({ id: 'b' });
    expect(queries).toEqual([1, 1]);
    answer();
    await first;
  });
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
