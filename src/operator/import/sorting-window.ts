import type { ReadRecord, RecordBuffer } from './record-buffers.js';
import type { RecordOrder } from './record-stores.js';
import type { Room } from './room.js';

/**
 * Records on their way into the store, given back in the order of their table's key: neighbours then share the writing
 * of a page. There may be hundreds of thousands, so what is in memory of each is little.
 */
export class SortingWindow {
  /** By record, in the order of lines. */
  readonly #identities: string[] = [];
  readonly #places: string[];
  #bytes = 0;

  constructor(
    private readonly order: RecordOrder,
    private readonly buffer: RecordBuffer,
    private readonly room: Room,
  ) {
    this.#places = order.placeOf === order.identityOf ? this.#identities : [];
  }

  get records(): number {
    return this.#identities.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(record: ReadRecord): void {
    const bytes = this.buffer.add(record);
    this.#bytes += bytes;
    this.room.take({ records: 1, bytes });
    this.#identities.push(this.order.identityOf(record.row));
    if (this.#places !== this.#identities) this.#places.push(this.order.placeOf(record.row));
  }

  /**
   * The records by their place in the table, many at a time; those about the same thing follow each other in the order
   * of their lines, at the place of the last. None can be added any more.
   * @param mostRecords of a slice
   * @param mostCharacters of a slice's documents, the last one aside
   */
  *slices(mostRecords: number, mostCharacters: number): Generator<ReadRecord[], void> {
    if (this.records === 0) return;
    const bytesOfEach = this.#bytes / this.records;
    let slice: ReadRecord[] = [];
    let characters = 0;
    for (const at of this.#sorted()) {
      const record = this.buffer.take(at);
      slice.push(record);
      characters += String(record.row.at(-1)).length;
      this.#identities[at] = '';
      this.#places[at] = '';
      if (slice.length < mostRecords && characters < mostCharacters) continue;
      yield slice;
      this.room.give({ records: slice.length, bytes: slice.length * bytesOfEach });
      slice = [];
      characters = 0;
    }
    if (slice.length === 0) return;
    yield slice;
    this.room.give({ records: slice.length, bytes: slice.length * bytesOfEach });
  }

  #sorted(): Uint32Array {
    const byIdentity = sortedIndexes(this.#identities);
    if (this.#places === this.#identities) return byIdentity;
    for (let position = this.records - 2; position >= 0; position -= 1) {
      const [at, next] = [byIdentity[position] ?? 0, byIdentity[position + 1] ?? 0];
      if (this.#identities[at] === this.#identities[next]) this.#places[at] = this.#places[next] ?? '';
    }
    return sortedIndexes(this.#places);
  }

  close(): void {
    this.buffer.close();
  }
}

/** Where the texts stand, in their order; equal ones as they come. */
function sortedIndexes(texts: readonly string[]): Uint32Array {
  return Uint32Array.from(texts.keys()).sort((a, b) => {
    const one = texts[a] ?? '';
    const other = texts[b] ?? '';
    return one < other ? -1 : Number(one > other);
  });
}
