import { IDENTITY, type TargetState } from './target-state.js';

type Times = Readonly<Record<string, number>>;

const identityAt = ({ asked }: TargetState): number => asked[IDENTITY] ?? -Infinity;

/** Returns when items were last listed or described. */
const itemsAt = ({ asked }: TargetState): number =>
  Math.max(...Object.entries(asked).map(([step, at]) => (step === IDENTITY ? -Infinity : at)));

function latestTimes(all: readonly Times[]): Times {
  const latest: Record<string, number> = {};
  for (const times of all) {
    for (const [step, at] of Object.entries(times)) latest[step] = Math.max(latest[step] ?? -Infinity, at);
  }
  return latest;
}

const latestBy = (all: readonly TargetState[], timeOf: (state: TargetState) => number): TargetState =>
  all.reduce((a, b) => (timeOf(b) > timeOf(a) ? b : a));

/**
 * Adds what is known of a creator under other names: one list may name it by ID, and another by handle.
 * @param own wins where both are as new
 */
export function mergeStates(own: TargetState, others: readonly TargetState[]): TargetState {
  const all = [own, ...others];
  const { missing, list } = latestBy(all, identityAt);
  return {
    ...own,
    asked: latestTimes(all.map(({ asked }) => asked)),
    claims: latestTimes(all.map(({ claims }) => claims)),
    missing,
    list: list ?? own.list,
    // Describing items shortens the list of only one name, so an older list is outdated.
    pending: latestBy(all, itemsAt).pending,
  };
}

/** A name of a creator, and all that is known of it; undefined if nothing is. */
export interface KnownCreator {
  readonly target: string;
  readonly state: TargetState | undefined;
}

/**
 * Returns a function that finds the name under which a creator is collected: of several names, the one that was last asked about.
 * A creator named by handle and by ID would otherwise be asked about twice.
 */
export function findCreators(states: ReadonlyMap<string, TargetState>): (target: string) => KnownCreator {
  const names = new Map<string, [string, ...string[]]>();
  for (const [target, { id }] of states) {
    if (id === null) continue;
    const others = names.get(id);
    if (others === undefined) names.set(id, [target]);
    else others.push(target);
  }
  return (watched) => {
    const all = (names.get(states.get(watched)?.id ?? watched) ?? [watched]).flatMap((target) => {
      const state = states.get(target);
      return state === undefined ? [] : [{ target, state }];
    });
    // All collectors must choose the same name, so ties are broken: the ID wins, then the first name.
    const [own, ...others] = all.toSorted(
      (a, b) =>
        identityAt(b.state) - identityAt(a.state) ||
        Number(b.target === b.state.id) - Number(a.target === a.state.id) ||
        (a.target < b.target ? -1 : 1),
    );
    if (own === undefined) return { target: watched, state: undefined };
    const known = others.map(({ state }) => state);
    return { target: own.target, state: known.length === 0 ? own.state : mergeStates(own.state, known) };
  };
}
