/** Where a record goes in its table. */
export interface Placed {
  /** Records with the same identity are about the same thing; the last one wins. */
  readonly identity: string;
  /** Records whose places sort next to each other lie next to each other in the table. */
  readonly place: string;
  /** Length of its document. */
  readonly characters: number;
}

/**
 * Records in the order of their table's key: neighbours then share the writing of a page. Those with the same identity
 * follow each other in the order they came in, at the place of the last.
 */
export function inTableOrder<T extends Placed>(records: readonly T[]): T[] {
  const places = new Map(records.map(({ identity, place }) => [identity, place]));
  return records
    .map((record) => ({ record, place: places.get(record.identity) ?? record.place }))
    .sort((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
    .map(({ record }) => record);
}

/** Cuts records into slices that end with the record that reaches one of the limits. */
export function* slicesOf<T extends Placed>(
  records: readonly T[],
  most: { readonly records: number; readonly characters: number },
): Generator<T[], void> {
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
