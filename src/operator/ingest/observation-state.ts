import { latestObservation, type Members } from '../../sources/assemble/observations.js';
import type { Snapshot } from '../../sources/assemble/fragment-store.js';

/** State of a stored record's observations. */
export interface ObservationState {
  /** Observation time of each member, in milliseconds since 1970. */
  readonly times: ReadonlyMap<string, number>;
  readonly snapshots: readonly Snapshot[];
}

/** The stored form. Every record has one, so it is compact: members are grouped by time, and snapshots are arrays. */
interface StoredState {
  readonly members: readonly (readonly [number, readonly string[]])[];
  readonly snapshots?: readonly (readonly [number, number, string?, (string | null)?])[];
}

export const UNOBSERVED: ObservationState = { times: new Map(), snapshots: [] };

export function parseState(document: Buffer): ObservationState {
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

/** Creates the row of a record's observations, without its key. */
export function createObservationRow(
  members: Members,
  snapshots: readonly Snapshot[],
): { observed_at: number; document: string } {
  const names = new Map<number, string[]>();
  for (const [name, { at }] of members) {
    // Imported members have no observation time.
    if (at < 0) continue;
    const sameTime = names.get(at);
    if (sameTime === undefined) names.set(at, [name]);
    else sameTime.push(name);
  }
  const state: StoredState = {
    members: [...names].sort(([a], [b]) => a - b).map(([at, sameTime]) => [at, sameTime.sort()]),
    ...(snapshots.length === 0
      ? {}
      : {
          snapshots: snapshots.map(({ at, viewers, game }) =>
            game === null ? [at, viewers] : [at, viewers, game.id, game.name],
          ),
        }),
  };
  return { observed_at: latestObservation(members), document: JSON.stringify(state) };
}
