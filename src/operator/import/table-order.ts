/** A record's identity and place (see `RecordStore`), and the length of its document. */
export interface Placed {
  readonly identity: string;
  readonly place: string;
  readonly characters: number;
}

/** Sorts by the table's key: neighbours share the writing of a page. Records with the same identity come together,
 * where the last of them belongs, and in the order they had. */
export function inTableOrder<T extends Placed>(records: readonly T[]): T[] {
  const places = new Map(records.map(({ identity, place }) => [identity, place]));
  return records
    .map((record) => ({ record, place: places.get(record.identity) ?? record.place }))
    .sort((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
    .map(({ record }) => record);
}

/** Records are handed to the database this many at a time, or fewer large ones. */
const SLICE = { records: 1024, characters: 1280 * 1024 };

/** Cuts records into slices that end with the record that reaches one of the limits. */
export function* slicesOf<T extends Placed>(records: readonly T[], most = SLICE): Generator<T[], void> {
  let slice: T[] = [];
  let characters = 0;
  for (const record of records) {
    slice.push(record);
    characters += record.characters;
    if (slice.length < most.records && characters < most.characters) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}

/** The last of each run of neighbours with the same identity. */
export function latestOf<T extends Placed>(records: readonly T[]): T[] {
  return records.filter(({ identity }, at) => identity !== records[at + 1]?.identity);
}
