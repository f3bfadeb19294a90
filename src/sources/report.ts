import type { Platform } from '../model/platforms.js';
import type { AssembledRecord, AssembledKind } from './assemble/assembly.js';
import { MEMBER_HINTS } from './member-hints.js';

/** A member that no document of the run contained, and what to load to get it. */
export interface NeverSeenMember {
  readonly kind: AssembledKind;
  readonly platform: Platform | null;
  readonly member: string;
  /** Number of records without the member: all records of this kind and platform. */
  readonly of: number;
  readonly load: string;
}

/** Machine-readable result of a run. */
export interface SourcesReport {
  /** Documents read: responses, lines, items of arrays, rows. */
  readonly read: number;
  /** Documents that gave at least one fragment. */
  readonly mapped: number;
  readonly rejected: number;
  /** Rejected documents that were not written to a file of rejects. */
  readonly rejects_omitted: number;
  readonly records: Readonly<Record<string, number>>;
  /** Fragments merged into a record that already had one. */
  readonly merged: number;
  /** Stored records that the run changed. */
  readonly updated: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly unresolved: { readonly authors: number; readonly handles: readonly string[] };
  /** Handles that belong to several IDs. */
  readonly ambiguous_handles: number;
  readonly never_seen: readonly NeverSeenMember[];
  readonly unknown_members: Readonly<Record<string, number>>;
}

/** Unresolved handles beyond this number are counted but not listed. */
const MAX_EXAMPLES = 20;

/** Unknown members beyond this number of different names are ignored. */
const MAX_UNKNOWN_NAMES = 500;

/** Counters of a run, from which its report is made. */
export class RunCounters {
  read = 0;
  mapped = 0;
  rejected = 0;
  rejectsOmitted = 0;
  updated = 0;
  ambiguousHandles = 0;
  readonly #records = new Map<string, number>();
  readonly #skipped = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  readonly #seen = new Map<string, { records: number; readonly members: Set<string> }>();
  readonly #handles = new Set<string>();
  #merged = 0;
  #unresolved = 0;

  countSkipped(reason: string): void {
    increment(this.#skipped, reason);
  }

  countUnknownMember(name: string): void {
    if (this.#unknown.size < MAX_UNKNOWN_NAMES || this.#unknown.has(name)) increment(this.#unknown, name);
  }

  /** Counts an assembled record. */
  countAssembled({ kind, platform, members, fragments, snapshots }: AssembledRecord): void {
    const key = kind === 'games' ? kind : `${kind} ${platform}`;
    let seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, (seen = { records: 0, members: new Set() }));
    seen.records += 1;
    for (const name of members.keys()) seen.members.add(name);
    if (snapshots.length > 0) seen.members.add('statistics.viewers');
    this.#merged += Math.max(0, fragments - 1);
  }

  /** Counts a written record. */
  countWritten(kind: string): void {
    increment(this.#records, kind);
  }

  /** Numbers of written records by kind. */
  get written(): ReadonlyMap<string, number> {
    return this.#records;
  }

  /** Counts an author who is known only by a handle. */
  countUnresolvedAuthor(platform: Platform, handle: string): void {
    this.#unresolved += 1;
    if (this.#handles.size < MAX_EXAMPLES) this.#handles.add(`${platform} ${handle}`);
  }

  get report(): SourcesReport {
    return {
      read: this.read,
      mapped: this.mapped,
      rejected: this.rejected,
      rejects_omitted: this.rejectsOmitted,
      records: sortByName(this.#records),
      merged: this.#merged,
      updated: this.updated,
      skipped: sortByName(this.#skipped),
      unresolved: { authors: this.#unresolved, handles: [...this.#handles].sort() },
      ambiguous_handles: this.ambiguousHandles,
      never_seen: this.#neverSeen(),
      unknown_members: sortByName(this.#unknown),
    };
  }

  #neverSeen(): NeverSeenMember[] {
    return MEMBER_HINTS.flatMap(({ kind, platform, member, load }) => {
      const seen = this.#seen.get(platform === null ? kind : `${kind} ${platform}`);
      return seen === undefined || seen.members.has(member) ? [] : [{ kind, platform, member, of: seen.records, load }];
    });
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const sortByName = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
