import { afterEach, describe, expect, it } from '@jest/globals';
import { RecordsAside, RecordsInMemory, type ReadRecord, type RecordBuffer } from './record-buffers.js';
import { Room } from './room.js';
import { SortingWindow } from './sorting-window.js';

/** A record of two columns: an ID and a document. */
const record = (number: number, id: string, document = `{"n":${number}}`): ReadRecord => ({
  number,
  text: document,
  row: [1, id, document],
  related: [],
});

const byId = (row: ReadRecord['row']) => String(row[1]);

describe.each<[string, () => RecordBuffer]>([
  ['in memory', () => new RecordsInMemory()],
  ['put aside', () => new RecordsAside()],
])('a window of records %s', (_, newBuffer) => {
  const most = { records: 1_000_000, bytes: 2 ** 40 };
  const open: SortingWindow[] = [];
  afterEach(() => open.splice(0).forEach((window) => window.close()));

  function windowOf(records: readonly ReadRecord[], { placeOf = byId, room = new Room(most) } = {}): SortingWindow {
    const window = new SortingWindow({ identityOf: byId, placeOf }, newBuffer(), room);
    open.push(window);
    for (const each of records) window.add(each);
    return window;
  }

  const slicesOf = (window: SortingWindow, records = 1000, characters = 1e9): ReadRecord[][] => [
    ...window.slices(records, characters),
  ];

  it('gives back every record as it was added, whatever its texts', () => {
    const texts = ['{}', '{"a":"b\\n"}', '{"e":"😀 שלום \\ud800"}', `{"long":"${'☃'.repeat(400_000)}"}`];
    const records = texts.flatMap((document, number) => [
      record(2 * number, `${number} a`, document),
      {
        number: 2 * number + 1,
        text: ` ${document} `,
        row: [1, `${number} b`, null, 2 ** 53 - 1, -1, document],
        related: [
          [2, 'game', document],
          ['\ud800', '', null],
        ],
      },
    ]);
    expect(slicesOf(windowOf(records)).flat()).toEqual(records);
  });

  it('gives them back by their place, those of the same place as they came', () => {
    const records = ['d', 'b', 'a', 'c', 'b2', 'a2'].map((id, number) => record(number, id));
    const placeOf = (row: ReadRecord['row']) => byId(row).slice(0, 1);
    const ids = slicesOf(windowOf(records, { placeOf })).flat();
    expect(ids.map((each) => each.row[1])).toEqual(['a', 'a2', 'b', 'b2', 'c', 'd']);
  });

  it('gives back those about the same thing one after the other, at the place of the last', () => {
    const records = ['x', 'y', 'x', 'z', 'x', 'y'].map((id, number) => record(number, id));
    const numbers = (window: SortingWindow) =>
      slicesOf(window)
        .flat()
        .map(({ number }) => number);
    expect(numbers(windowOf(records))).toEqual([0, 2, 4, 1, 5, 3]);
    // By their documents, which end in the number: the last line first.
    const placeOf = (row: ReadRecord['row']) => String(9 - Number(String(row[2]).at(-2)));
    expect(numbers(windowOf(records, { placeOf }))).toEqual([1, 5, 0, 2, 4, 3]);
  });

  it('makes slices of so many records, or of fewer whose documents are long', () => {
    const sizes = (window: SortingWindow, ...limits: [number, number]) =>
      slicesOf(window, ...limits).map(({ length }) => length);
    const seven = Array.from({ length: 7 }, (_unused, number) => record(number, String(number), '0123456789'));
    expect(sizes(windowOf(seven), 3, 1000)).toEqual([3, 3, 1]);
    expect(sizes(windowOf(seven), 7, 1000)).toEqual([7]);
    expect(sizes(windowOf(seven), 100, 20)).toEqual([2, 2, 2, 1]);
    expect(sizes(windowOf(seven), 100, 1)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(sizes(windowOf([]), 1, 1)).toEqual([]);
  });

  it('takes room for its records, and gives all of it back as they go', () => {
    const room = new Room({ records: 100, bytes: 1_000_000 });
    const records = Array.from({ length: 100 }, (_unused, number) => record(number, String(number)));
    const slices = windowOf(records, { room }).slices(30, 1e9);
    expect(room.isLeft).toBe(false);
    slices.next();
    slices.next();
    expect(room.isLeft).toBe(true);
    expect([...slices].flat()).toHaveLength(40);
    // One without any takes none and gives none.
    expect(slicesOf(windowOf([], { room }))).toEqual([]);
    const again = windowOf(records.slice(1), { room });
    expect(room.isLeft).toBe(true);
    again.add(record(100, '100'));
    expect(room.isLeft).toBe(false);
  });

  it('counts bytes: a few long records take all room too', () => {
    const room = new Room({ records: 100, bytes: 1_000_000 });
    windowOf([record(1, '1', 'x'.repeat(600_000))], { room });
    expect(room.isLeft).toBe(true);
    windowOf([record(2, '2', 'x'.repeat(600_000))], { room });
    expect(room.isLeft).toBe(false);
  });
});
