/** A record with its sort keys (see `RecordStore`) and the length of its document. */
export interface KeyedRecord {
  readonly identity: string;
  readonly sortKey: string;
  readonly characters: number;
}

/** Sorts records by the table's key, so that neighbours share page writes. Records with the same identity are adjacent, at
 * the sort key of the last one, in their original order. */
export function sortByTableKey<T extends KeyedRecord>(records: readonly T[]): T[] {
  // Most tables are sorted by what identifies their records.
  if (records.every(({ identity, sortKey }) => identity === sortKey)) return records.toSorted(bySortKey);
  const sortKeys = new Map(records.map(({ identity, sortKey }) => [identity, sortKey]));
  return records
    .map((record) => ({ record, sortKey: sortKeys.get(record.identity) ?? record.sortKey }))
    .sort(bySortKey)
    .map(({ record }) => record);
}

const bySortKey = (a: Pick<KeyedRecord, 'sortKey'>, b: Pick<KeyedRecord, 'sortKey'>): number =>
  a.sortKey < b.sortKey ? -1 : Number(a.sortKey > b.sortKey);

/** Default limits of a slice, which is one call to the database. */
const SLICE = { records: 1024, characters: 1280 * 1024 };

/** Splits records into slices. Each ends with the record that reaches one of the limits, or with the last one of its identity: so
 * slices have no record in common, and the next one can be read before this one is written. */
export function* sliceRecords<T extends KeyedRecord>(records: readonly T[], limits = SLICE): Generator<T[], void> {
  let slice: T[] = [];
  let characters = 0;
  for (const [index, record] of records.entries()) {
    slice.push(record);
    characters += record.characters;
    if (slice.length < limits.records && characters < limits.characters) continue;
    if (records[index + 1]?.identity === record.identity) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Returns the last of each run of adjacent records with the same identity. */
export function keepLatest<T extends KeyedRecord>(records: readonly T[]): T[] {
  return records.filter(({ identity }, index) => identity !== records[index + 1]?.identity);
}

/** Returns the records whose identity another adjacent record has, too. */
export function selectRepeated<T extends KeyedRecord>(records: readonly T[]): T[] {
  return records.filter(
    ({ identity }, index) => identity === records[index - 1]?.identity || identity === records[index + 1]?.identity,
  );
}
