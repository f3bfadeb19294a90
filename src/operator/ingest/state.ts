import { newestOf, type Members } from '../../sources/assemble/members.js';
import type { Snapshot } from '../../sources/assemble/join.js';

/** What is remembered of a stored record's observations. */
export interface ObservationState {
  /** When each member was observed. */
  readonly times: ReadonlyMap<string, number>;
  readonly snapshots: readonly Snapshot[];
}

/** As stored: members by time, and looks as arrays, because there is one for each record. */
interface StoredState {
  readonly members: readonly (readonly [number, readonly string[]])[];
  readonly snapshots?: readonly (readonly [number, number, string?, (string | null)?])[];
}

export const UNOBSERVED: ObservationState = { times: new Map(), snapshots: [] };

export function readState(document: Buffer): ObservationState {
  const { members, snapshots = [] } = JSON.parse(String(document)) as StoredState;
  return {
    times: new Map(members.flatMap(([at, names]) => names.map((name) => [name, at] as const))),
    snapshots: snapshots.map(([at, viewers, id, name]) => ({
      at,
      viewers,
      game: id === undefined ? null : { id, name: name ?? null },
    })),
  };
}

/** The row of a record's observations without its key. */
export function stateRow(members: Members, snapshots: readonly Snapshot[]): { observed_at: number; document: string } {
  const names = new Map<number, string[]>();
  for (const [name, { at }] of members) {
    // What was imported has no time of its own.
    if (at < 0) continue;
    const atOnce = names.get(at);
    if (atOnce === undefined) names.set(at, [name]);
    else atOnce.push(name);
  }
  const state: StoredState = {
    members: [...names].sort(([a], [b]) => a - b).map(([at, atOnce]) => [at, atOnce.sort()]),
    ...(snapshots.length === 0
      ? {}
      : {
          snapshots: snapshots.map(({ at, viewers, game }) =>
            game === null ? [at, viewers] : [at, viewers, game.id, game.name],
          ),
        }),
  };
  return { observed_at: newestOf(members), document: JSON.stringify(state) };
}
