import type { CollectPlatform, DetailsStep, Step, Subject } from './collect-platform.js';
import { GONE_AFTER_MS, GONE_FACTOR, IDENTITY, isGone, type TargetState } from './target-state.js';

/** A creator with what is known of it. */
export interface Target {
  /** Name under which its state is stored: its ID, or `@` and a handle. */
  readonly name: string;
  /** Handle by which the list names it; null if the list has its ID alone. */
  readonly handle: string | null;
  readonly everyMs: number;
  readonly state: TargetState;
}

/** Returns each creator once, with the shortest interval and retention: a watch list may name one by its handle, too. */
export function distinctTargets(targets: readonly Target[]): Target[] {
  const byId = new Map<string, Target>();
  for (const target of targets) {
    const key = target.state.id ?? target.name;
    const other = byId.get(key);
    byId.set(key, other === undefined ? target : joinEntries(other, target));
  }
  return [...byId.values()];
}

function joinEntries(a: Target, b: Target): Target {
  const everyMs = Math.min(a.everyMs, b.everyMs);
  const keepMs = Math.min(a.state.keepMs ?? Infinity, b.state.keepMs ?? Infinity);
  const state = { ...a.state, everyMs, keepMs: keepMs === Infinity ? null : keepMs };
  return { ...a, handle: a.handle ?? b.handle, everyMs, state };
}

/** A call to make. */
export interface Call {
  readonly step: Step;
  readonly targets: readonly Target[];
  /** Items to describe; empty for other steps. */
  readonly items: readonly string[];
}

/** What to do at a time. */
export interface Schedule {
  /** In the order in which to make them. */
  readonly calls: readonly Call[];
  /** When something else is due, in milliseconds since 1970; null: nothing ever. */
  readonly nextAt: number | null;
  /** Whether calls are due that the budget does not hold. */
  readonly isOverBudget: boolean;
  /** When the last claim of another collector on something due expires; null: there is none. */
  readonly claimedUntil: number | null;
}

export interface ScheduleOptions {
  readonly now: number;
  /** Only what was due at this time is scheduled. */
  readonly dueBy: number;
  /** Units left of the day's budget. */
  readonly units: number;
  /** Calls of one schedule: what becomes due meanwhile must not wait for all others. */
  readonly maxCalls: number;
}

/** Part of the interval by which a creator may be early, to fill a call that is made anyway. */
const EARLY_PART = 0.1;

interface DueStep {
  readonly target: Target;
  readonly step: Step;
  /** How late it is, as a part of its interval; Infinity if it was never asked. After a failure: since it may be asked again. */
  readonly lateness: number;
}

/** Returns when a step of a creator is due; null while it cannot be asked. */
export function dueAt(step: Step, { everyMs, state }: Target): number | null {
  const { id, asked, missing, pending } = state;
  const last = asked[stepKey(step)];
  if (step.kind === 'identity') {
    if (last === undefined) return 0;
    if (missing === null) return last + everyMs;
    return last + (isGone(state) ? everyMs * GONE_FACTOR : Math.min(everyMs, GONE_AFTER_MS));
  }
  if (id === null || missing !== null || asked[IDENTITY] === undefined) return null;
  if (step.kind === 'details') return pending.length > 0 ? 0 : null;
  if (step.kind === 'list' && state.list === null) return null;
  return last === undefined ? 0 : last + everyMs;
}

/** Name under which a state notes a step. */
export const stepKey = (step: Step): string => (step.kind === 'identity' ? IDENTITY : step.name);

/**
 * Chooses the next calls: as few as possible, the steps about several creators first, then who is latest. What failed before is
 * asked when nothing else is due: creators whose calls always fail must not keep the others waiting.
 * Pure: the same targets and options give the same calls.
 */
export function schedule(
  { steps }: Pick<CollectPlatform, 'steps'>,
  targets: readonly Target[],
  { now, dueBy, units, maxCalls }: ScheduleOptions,
): Schedule {
  const noSteps = () => new Map<Step, DueStep[]>(steps.map((step) => [step, []]));
  const [due, failed, early] = [noSteps(), noSteps(), noSteps()];
  let nextAt: number | null = null;
  let claimedUntil: number | null = null;
  for (const step of steps) {
    const key = stepKey(step);
    for (const target of targets) {
      const at = dueAt(step, target);
      if (at === null) continue;
      const { claims, retries } = target.state;
      const claimed = claims[key] ?? 0;
      const retryAt = retries[key] ?? 0;
      const readyAt = Math.max(at, claimed, retryAt);
      // Where the budget never covers all, a failure must not be the last call about a creator.
      const isRetry = retryAt > 0 && now - retryAt < target.everyMs;
      const lateness = at === 0 ? Infinity : (now - at) / target.everyMs;
      if (at <= dueBy && readyAt <= now) {
        if (isRetry) failed.get(step)?.push({ target, step, lateness: (now - retryAt) / target.everyMs });
        else due.get(step)?.push({ target, step, lateness });
      } else {
        nextAt = Math.min(nextAt ?? Infinity, readyAt);
        if (at <= dueBy && claimed > now) claimedUntil = Math.max(claimedUntil ?? 0, claimed);
        if (lateness >= -EARLY_PART && Math.max(claimed, retryAt) <= now)
          early.get(step)?.push({ target, step, lateness });
      }
    }
  }
  const first = callsAbout(steps, due, early);
  const calls = first.length > 0 ? first : callsAbout(steps, failed, early);
  const affordable = withinBudget(calls, units);
  const isOverBudget = affordable.length < calls.length;
  return { calls: affordable.slice(0, maxCalls), nextAt, isOverBudget, claimedUntil };
}

/**
 * Returns a scheduled call with the current states, which earlier calls have changed; null if a creator was asked about since,
 * as the states that an earlier call returned may show.
 */
export function withCurrentStates(scheduled: Call, current: ReadonlyMap<string, Target>): Call | null {
  const { step } = scheduled;
  const targets = scheduled.targets
    .flatMap(({ name }) => current.get(name) ?? [])
    // An earlier call may have shown that somebody is missing.
    .filter((target) => step.kind === 'identity' || dueAt(step, target) !== null);
  if (targets.length === 0) return null;
  if (step.kind === 'details') {
    const items = scheduled.items.filter((item) => targets.some(({ state }) => state.pending.includes(item)));
    return items.length === 0 ? null : { ...scheduled, targets, items };
  }
  const key = stepKey(step);
  const isAsScheduled = scheduled.targets.every(({ name, state: { asked, retries } }) => {
    const state = current.get(name)?.state;
    return state !== undefined && state.asked[key] === asked[key] && state.retries[key] === retries[key];
  });
  return isAsScheduled ? { ...scheduled, targets } : null;
}

const byLateness = (a: DueStep, b: DueStep): number =>
  // Infinity minus Infinity is NaN.
  a.lateness === b.lateness ? (a.target.name < b.target.name ? -1 : 1) : b.lateness - a.lateness;

type Candidates = ReadonlyMap<Step, readonly DueStep[]>;

function callsAbout(steps: readonly Step[], due: Candidates, early: Candidates): Call[] {
  const singles = singleCalls(steps, due);
  const details = steps.flatMap((step) =>
    step.kind === 'details' ? Array.from(detailCalls(step, due.get(step) ?? [])) : [],
  );
  const isFull = ({ step, items }: Call) => items.length === step.batchSize;
  // A call that is not full waits while more items may be listed. Full ones come before the lists: where the budget does not cover all,
  // it must not be spent on lists of items that are never described.
  const rest = singles.some(({ step }) => step.kind === 'list') ? [] : details.filter((call) => !isFull(call));
  return [...batchCalls(steps, due, early), ...details.filter(isFull), ...singles, ...rest];
}

/** Returns the calls about several creators. The last call of a step is filled with creators who are due soon. */
function* batchCalls(steps: readonly Step[], due: Candidates, early: Candidates): Generator<Call> {
  for (const step of steps) {
    if (step.batchSize === 1 || step.kind === 'details') continue;
    const isAlone = ({ target }: DueStep) =>
      target.state.alone.includes(stepKey(step)) ||
      (step.kind === 'identity' && step.asksHandlesAlone && subjectOf(target).id === null);
    const candidates = (due.get(step) ?? []).toSorted(byLateness);
    for (const each of candidates.filter(isAlone)) yield { step, targets: [each.target], items: [] };
    const together = candidates.filter((each) => !isAlone(each));
    const room = (step.batchSize - (together.length % step.batchSize)) % step.batchSize;
    const fill = (early.get(step) ?? []).filter((each) => !isAlone(each)).toSorted(byLateness);
    const all = [...together, ...fill.slice(0, room)];
    for (let start = 0; start < all.length; start += step.batchSize) {
      const batch = all.slice(start, start + step.batchSize);
      yield { step, targets: batch.map(({ target }) => target), items: [] };
    }
  }
}

/** Returns the calls about one creator, of all steps by lateness: none of them waits for all calls of another. */
function singleCalls(steps: readonly Step[], due: Candidates): Call[] {
  const singles = steps.filter(({ batchSize }) => batchSize === 1).flatMap((step) => due.get(step) ?? []);
  return singles.toSorted(byLateness).map(({ step, target }) => ({ step, targets: [target], items: [] }));
}

/** Returns the calls that describe items, of who waits longest first. The last one may not be full. */
function* detailCalls(step: DetailsStep, due: readonly DueStep[]): Generator<Call> {
  const lastAsked = ({ target: { state } }: DueStep) => state.asked[stepKey(step)] ?? 0;
  let targets: Target[] = [];
  let items: string[] = [];
  for (const { target } of due.toSorted((a, b) => lastAsked(a) - lastAsked(b))) {
    targets.push(target);
    for (const item of target.state.pending) {
      items.push(item);
      if (items.length < step.batchSize) continue;
      yield { step, targets, items };
      [targets, items] = [[target], []];
    }
    if (items.length === 0) targets = [];
  }
  if (items.length > 0) yield { step, targets, items };
}

function withinBudget(calls: readonly Call[], units: number): Call[] {
  let left = units;
  const index = calls.findIndex(({ step }) => (left -= step.units) < 0);
  return index === -1 ? [...calls] : calls.slice(0, index);
}

/** Returns how a request names a creator. The handle of a creator who is gone may have another owner by now. */
export function subjectOf({ name, handle, state }: Target): Subject {
  const asksHandle = handle !== null && isGone(state);
  return { handle: handle ?? name.slice(1), id: asksHandle ? null : state.id, list: state.list };
}
