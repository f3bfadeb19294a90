import type { Platform } from '../model/platforms.js';
import type { Assembled, AssembledKind } from './assemble/assembly.js';
import { HINTS } from './hints.js';

/** A member that no document of the run told of any record, and what to load for it. */
export interface NeverSeen {
  readonly kind: AssembledKind;
  readonly platform: Platform | null;
  readonly member: string;
  /** Records without it: all of that kind and platform. */
  readonly of: number;
  readonly load: string;
}

/** What became of the input, for machines. */
export interface SourcesReport {
  /** Documents: responses, lines, items of arrays, rows. */
  readonly read: number;
  /** Documents that gave at least one fragment. */
  readonly mapped: number;
  readonly rejected: number;
  /** Rejected documents that no file holds. */
  readonly rejects_omitted: number;
  readonly records: Readonly<Record<string, number>>;
  /** Fragments that were joined with others into the same record. */
  readonly merged: number;
  /** Records that were stored already, and were brought up to date. */
  readonly updated: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly unresolved: { readonly authors: number; readonly handles: readonly string[] };
  /** Handles that several IDs have. */
  readonly ambiguous_handles: number;
  readonly never_seen: readonly NeverSeen[];
  readonly unknown_members: Readonly<Record<string, number>>;
}

/** Examples and names that are listed; beyond, they are only counted. */
const MOST_EXAMPLES = 20;
const MOST_NAMES = 500;

/** Counts what happens in a run. */
export class Tally {
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

  skip(reason: string): void {
    count(this.#skipped, reason);
  }

  unknownMember(name: string): void {
    if (this.#unknown.size < MOST_NAMES || this.#unknown.has(name)) count(this.#unknown, name);
  }

  /** A record was assembled. */
  assembled({ kind, platform, members, fragments, snapshots }: Assembled): void {
    const key = kind === 'games' ? kind : `${kind} ${platform}`;
    let seen = this.#seen.get(key);
    if (seen === undefined) this.#seen.set(key, (seen = { records: 0, members: new Set() }));
    seen.records += 1;
    for (const name of members.keys()) seen.members.add(name);
    if (snapshots.length > 0) seen.members.add('statistics.viewers');
    this.#merged += Math.max(0, fragments - 1);
  }

  /** A record was written. */
  wrote(kind: string): void {
    count(this.#records, kind);
  }

  /** An author is known by a handle only. */
  unresolved(platform: Platform, handle: string): void {
    this.#unresolved += 1;
    if (this.#handles.size < MOST_EXAMPLES) this.#handles.add(`${platform} ${handle}`);
  }

  get report(): SourcesReport {
    return {
      read: this.read,
      mapped: this.mapped,
      rejected: this.rejected,
      rejects_omitted: this.rejectsOmitted,
      records: sorted(this.#records),
      merged: this.#merged,
      updated: this.updated,
      skipped: sorted(this.#skipped),
      unresolved: { authors: this.#unresolved, handles: [...this.#handles].sort() },
      ambiguous_handles: this.ambiguousHandles,
      never_seen: this.#neverSeen(),
      unknown_members: sorted(this.#unknown),
    };
  }

  #neverSeen(): NeverSeen[] {
    return HINTS.flatMap(({ kind, platform, member, load }) => {
      const seen = this.#seen.get(platform === null ? kind : `${kind} ${platform}`);
      return seen === undefined || seen.members.has(member) ? [] : [{ kind, platform, member, of: seen.records, load }];
    });
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
