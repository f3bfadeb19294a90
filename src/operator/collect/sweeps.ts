import type { TargetState } from './target-state.js';

/** Name under which a state notes when its sweep began. */
export const SWEEP = 'sweep';

/** What is known of a sweep over games. */
export interface SweepStatus {
  readonly name: string;
  /** Date-time; null if no call of the sweep was answered yet. */
  readonly began_at: string | null;
  /** Whether its last page was answered. */
  readonly is_complete: boolean;
}

/** Lists the sweeps that were ever begun. */
export const listSweeps = (states: ReadonlyMap<string, TargetState>): SweepStatus[] =>
  Array.from(states, ([target, { asked, list }]) => {
    const began = asked[SWEEP];
    const began_at = began === undefined ? null : new Date(began).toISOString();
    return { name: target.slice(1), began_at, is_complete: began !== undefined && list === null };
  });
