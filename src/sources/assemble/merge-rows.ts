import { platformFromCode, type Platform } from '../../model/platforms.js';
import type { StatisticsByDay } from './daily-statistics.js';
import { observeFragment, type Known, type Members } from './observations.js';

/** Input and line of a fragment, encoded as one number. */
export type FragmentPosition = number;

/** One record merged from its fragments. */
export interface MergedFragments {
  readonly platform: Platform;
  readonly id: string;
  readonly members: Members;
  /** Origin of the newest fragment. */
  readonly origin: FragmentPosition;
  /** Number of fragments merged. */
  readonly fragments: number;
  /** The author's handle, if the record is an item and no profile of the run has the handle. */
  readonly handle: string | null;
  /** Statistics of a profile by day; null for other kinds. */
  readonly days: StatisticsByDay | null;
}

/** A stored fragment of a record. */
export interface FragmentRow {
  readonly platform: number;
  readonly id: string;
  readonly at: number;
  readonly origin: FragmentPosition;
  readonly known: string;
}

/** Merges consecutive rows of the same record one by one, because a record may have more rows than fit into memory. */
export function* mergeRows<R extends FragmentRow>(
  rows: Iterable<R>,
  onRow: (record: MutableRecord, row: R, known: Known) => void,
): Generator<MergedFragments> {
  let record: MutableRecord | null = null;
  for (const row of rows) {
    if (record === null || record.id !== row.id || record.code !== row.platform) {
      if (record !== null) yield record;
      record = startRecord(row);
    }
    const known = observeFragment(record.members, row.known, row.at);
    record.fragments += 1;
    if (row.at > record.at) [record.at, record.origin] = [row.at, row.origin];
    onRow(record, row, known);
  }
  if (record !== null) yield record;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type MutableRecord = Mutable<MergedFragments> & { readonly code: number; at: number };

const startRecord = ({ platform, id, at, origin }: FragmentRow): MutableRecord => ({
  // Games have no platform, and no code reads the platform of a game.
  platform: platform === 0 ? 'live_platform' : platformFromCode(platform),
  code: platform,
  id,
  at,
  origin,
  members: new Map(),
  fragments: 0,
  handle: null,
  days: null,
});
