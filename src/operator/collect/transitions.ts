import type { FoundCreator, IdentityStep } from './collect-platform.js';
import { failedRetryMs } from './backoff.js';
import { foldHandle, stripAt } from '../../features/profiles/handle.js';
import { stepKey, subjectOf, type Call, type Target } from './schedule.js';
import {
  markAbsent,
  markAlone,
  markAnswered,
  markFailed,
  markFound,
  markReleased,
  markRetry,
  GONE_AFTER_MS,
  type TargetState,
} from './target-state.js';

/** New states of the creators of a call. */
export type StateChanges = ReadonlyMap<string, TargetState>;

const changeEach = (call: Call, change: (state: TargetState, target: Target) => TargetState): StateChanges =>
  new Map(call.targets.map((target) => [target.name, change(target.state, target)]));

/**
 * Returns the states after an answer.
 * @param at when it was asked
 * @param pending the listed items that are to be described
 */
export function afterAnswer(call: Call, body: unknown, at: number, pending: readonly string[]): StateChanges {
  const { step, items } = call;
  const key = stepKey(step);
  switch (step.kind) {
    case 'identity':
      return afterIdentity(call, step, body, at);
    case 'creators':
      return changeEach(call, (state) => markAnswered(state, key, at));
    case 'list':
      return changeEach(call, (state) => ({ ...markAnswered(state, key, at), pending }));
    case 'details': {
      const done = new Set(items);
      return changeEach(call, (state) => ({
        ...markAnswered(state, key, at),
        pending: state.pending.filter((item) => !done.has(item)),
      }));
    }
  }
}

function afterIdentity(call: Call, step: IdentityStep, body: unknown, at: number): StateChanges {
  const creators = step.read(body);
  const byId = new Map(creators.map((creator) => [creator.id, creator]));
  const byHandle = new Map(creators.map((creator) => [fold(creator.handle ?? ''), creator]));
  // A platform that is asked about one handle answers about its creator, and may write the handle in another way.
  const only = step.asksHandlesAlone && creators.length === 1 ? creators[0] : undefined;
  const creatorOf = (each: Target): FoundCreator | undefined => {
    const { handle, id } = subjectOf(each);
    return id === null ? (byHandle.get(fold(handle)) ?? only) : byId.get(id);
  };
  return new Map(
    call.targets.flatMap((each) => {
      const creator = creatorOf(each);
      const next = markAnswered(each.state, stepKey(step), at);
      if (creator === undefined) return [[each.name, markAbsent(next, at)] as const];
      const found = markFound(next, creator.id, creator.list);
      if (creator.id === each.name || each.name.startsWith('@')) return [[each.name, found] as const];
      // The handle of a creator who is stored by its ID has another owner, who gets a name of its own.
      return [[each.name, next] as const, [`@${subjectOf(each).handle}`, found] as const];
    }),
  );
}

const fold = (handle: string): string => foldHandle(stripAt(handle));

/** Returns the states after a collector gave a call up without an answer: it is due again at once. */
export const afterRelease = (call: Call): StateChanges =>
  changeEach(call, (state) => markReleased(state, stepKey(call.step)));

/**
 * Returns the states after all attempts of a call failed.
 * @param answeredAt when the platform last answered the step, about anybody
 */
export function afterFailure(call: Call, at: number, answeredAt: number): StateChanges {
  const key = stepKey(call.step);
  const intervals = call.targets.map(({ state }) => state.everyMs);
  return changeEach(call, (state) => {
    const before = state.failures[key];
    // Everybody fails in an outage. Only an answer about others, meanwhile, shows that it is because of this creator.
    const count = before === undefined ? 1 : before.count + (answeredAt > before.at ? 1 : 0);
    const next = markFailed(state, key, { count, at }, at + failedRetryMs(intervals, count));
    // One of several creators can make a call fail again and again.
    return count > 1 && call.targets.length > 1 && call.step.kind !== 'details' ? markAlone(next, key) : next;
  });
}

/**
 * Returns the states after the platform rejected a call. Several creators are then asked one by one, to find the one that it
 * cannot answer; one creator has nothing there.
 */
export function afterRejection(call: Call, at: number): StateChanges {
  const key = stepKey(call.step);
  if (call.targets.length > 1 && call.step.kind !== 'details') {
    return changeEach(call, (state) => markAlone(markRetry(state, key, at), key));
  }
  const done = new Set(call.items);
  return changeEach(call, (state) => {
    const pending = state.pending.filter((item) => !done.has(item));
    // Only an answer says who is missing. A rejection may have other reasons, so it is tried again.
    if (call.step.kind === 'identity') {
      return markAlone(markRetry(state, key, at + Math.min(state.everyMs, GONE_AFTER_MS)), key);
    }
    return markAlone({ ...markAnswered(state, key, at), pending }, key);
  });
}
