import { describe, expect, it } from '@jest/globals';
import type { Database } from './database.js';
import { RecordLoader } from './record-loader.js';

class Item {
  platform: number;
  id: string;
  document: Buffer;
}

/** Answers every ID with a row of its group; notes what it was asked. */
function storeThatFailsFor(failing: number | null) {
  const asked: [group: number | null, ids: number][] = [];
  const findMany = async (_lookup: unknown, group: number | null, ids: readonly string[]) => {
    asked.push([group, ids.length]);
    if (group === failing) throw new Error(`group ${group} cannot be read`);
    return ids.filter((id) => id !== 'unknown').map((id) => ({ id, document: Buffer.from(`${group}:${id}`) }));
  };
  const database = { findMany, lookup: () => ({ sql: '' }) } as unknown as Database;
  const loader = new RecordLoader(database, { entity: Item, group: 'platform', id: 'id', columns: ['document'] });
  return { asked, loader };
}

describe('look-ups of one turn of the event loop', () => {
  it('share a query of their group', async () => {
    const { asked, loader } = storeThatFailsFor(null);
    await Promise.all(['a', 'b', 'a', 'c'].map((id) => loader.find(1, id)));
    expect(asked).toEqual([[1, 3]]);
  });

  it('share a query as batches too, five at a time', async () => {
    const { asked, loader } = storeThatFailsFor(null);
    const batches = Array.from({ length: 7 }, (_, at) => ['shared', `own ${at}`]);
    const found = await Promise.all(batches.map((ids) => loader.findMany(1, ids)));
    expect(found).toEqual(batches.map((ids) => ids.map((id) => ({ id, document: Buffer.from(`1:${id}`) }))));
    expect(asked).toEqual([
      [1, 6],
      [1, 3],
    ]);
  });

  it('tell the documents they found from the IDs that have none', async () => {
    const { loader } = storeThatFailsFor(null);
    const [some, none] = await Promise.all([
      loader.findDocuments(1, ['b', 'unknown', 'a']),
      loader.findDocuments(1, ['unknown']),
    ]);
    expect(some).toEqual({ documents: ['1:b', '1:a'].map((text) => Buffer.from(text)), missing: ['unknown'] });
    expect(none).toEqual({ documents: [], missing: ['unknown'] });
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

describe('look-ups that come while a query is under way', () => {
  /** A store whose first query takes until `answer` is called. */
  function storeThatWaits() {
    const asked: number[] = [];
    let answer = () => {};
    const first = new Promise<void>((resolve) => (answer = resolve));
    const findMany = async (_lookup: unknown, group: number | null, ids: readonly string[]) => {
      asked.push(ids.length);
      if (asked.length === 1) await first;
      return ids.map((id) => ({ id, document: Buffer.from(`${group}:${id}`) }));
    };
    const database = { findMany, lookup: () => ({ sql: '' }) } as unknown as Database;
    const loader = new RecordLoader(database, { entity: Item, group: 'platform', id: 'id', columns: ['document'] });
    return { asked, loader, answer: () => answer() };
  }

  it('share the next one', async () => {
    const { asked, loader, answer } = storeThatWaits();
    const first = loader.find(1, 'a');
    await turn();
    const second = loader.find(1, 'b');
    await turn();
    const third = loader.find(1, 'c');
    answer();
    await Promise.all([first, second, third]);
    expect(asked).toEqual([1, 2]);
  });

  it('do not wait for one that hangs', async () => {
    const { asked, loader, answer } = storeThatWaits();
    const first = loader.find(1, 'a');
    await turn();
    await expect(loader.find(1, 'b')).resolves.toMatchObject({ id: 'b' });
    expect(asked).toEqual([1, 1]);
    answer();
    await first;
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
