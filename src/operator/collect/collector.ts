import { CallRunner, type CallRunnerOptions, type CallStatus } from './call-runner.js';
import type { PlatformRequest, CollectPlatform } from './collect-platform.js';
import { CLAIM_POLL_MS, WAITS_FOR_CLAIM } from './claim-wait.js';
import { findPendingItems } from './pending-items.js';
import { expectedCalls } from './plan.js';
import { nextQuotaDay, quotaDay } from './quota-day.js';
import { distinctTargets, schedule, subjectOf, withCurrentStates, type Call, type Target } from './schedule.js';
import type { TargetState } from './target-state.js';
import { afterAnswer } from './transitions.js';

/** Calls after which the schedule is made again. */
const ROUND_CALLS = 200;

/** How often a loop reads the watch list, the stored profiles and the states of other collectors again. */
const RELOAD_MS = 600_000;

export interface CollectorOptions extends CallRunnerOptions {
  readonly platform: CollectPlatform;
  /** Reads whom to collect, with what is known of them. */
  readonly readTargets: () => Promise<readonly Target[]>;
  /** Called once, before the first call. @param calls estimate of the calls of this run */
  readonly onStart?: (calls: number) => void;
}

/** Collects creators from one platform: in a loop until it is stopped, otherwise until nothing is left that was due at the start. */
export class Collector {
  readonly calls: CallRunner;
  /** Whether the budget did not hold what was due. */
  isOverBudget = false;
  #targets = new Map<string, Target>();
  #loadedAt = -Infinity;

  constructor(private readonly options: CollectorOptions) {
    this.calls = new CallRunner(options, {
      replace: (states) => this.#replace(states),
      remove: (targets) => {
        for (const target of targets) this.#targets.delete(target);
      },
      answeredAt: (step) => latestAnswer(this.#targets.values(), step),
    });
  }

  /** The creators with what is known of them, each once. */
  get targets(): readonly Target[] {
    return distinctTargets([...this.#targets.values()]);
  }

  /** Runs until nothing is due, or the signal is aborted. @throws OperatorError if the platform rejects the credentials or is down */
  async run(): Promise<void> {
    const { platform, store, timer, isLoop, signal, budget, message } = this.options;
    const { timeZone } = platform.limits;
    await this.#reload();
    const startedAt = timer.now();
    this.options.onStart?.(expectedCalls(platform, this.targets, startedAt));
    let isWaiting = false;
    while (!signal.aborted) {
      if (timer.now() - this.#loadedAt >= RELOAD_MS) await this.#reload();
      const now = timer.now();
      const { units } = await store.readSpent(quotaDay(now, timeZone));
      const { calls, nextAt, isOverBudget, claimedUntil } = schedule(platform, this.targets, {
        now,
        dueBy: isLoop ? now : startedAt,
        units: (budget ?? Infinity) - units,
        maxCalls: ROUND_CALLS,
      });
      this.isOverBudget = isOverBudget;
      for (const call of calls) {
        const { failed } = this.calls;
        // After a failure, the next calls may fail slowly, too. What has become due meanwhile must not wait for them.
        if ((await this.#perform(call)) !== 'done' || this.calls.failed > failed) break;
      }
      if (calls.length > 0) continue;
      if (!isLoop && claimedUntil === null) return;
      if (isLoop) {
        const dueAt = isOverBudget ? nextQuotaDay(now, timeZone) : (nextAt ?? Infinity);
        await timer.sleep(Math.max(1, Math.min(dueAt, this.#loadedAt + RELOAD_MS) - now), signal);
        continue;
      }
      // The other collector finishes its call, or was killed.
      if (!isWaiting) message(WAITS_FOR_CLAIM);
      isWaiting = true;
      await timer.sleep(CLAIM_POLL_MS, signal);
      await this.#reload();
    }
  }

  async #perform(scheduled: Call): Promise<CallStatus> {
    const call = withCurrentStates(scheduled, this.#targets);
    if (call === null) return 'done';
    const { database, platform } = this.options;
    const status = await this.calls.perform(call, requestOf(call), async (body, at) => {
      const { step } = call;
      if (!step.isAnswer(body)) return null;
      const items = step.kind === 'list' ? step.read(body) : [];
      const pending = await findPendingItems(database, platform.source, items, at);
      return (current) => afterAnswer(current, body, at, pending);
    });
    if (status !== 'split') return status;
    const middle = Math.ceil(call.items.length / 2);
    for (const items of [call.items.slice(0, middle), call.items.slice(middle)]) {
      const targets = call.targets.filter(({ state }) => items.some((item) => state.pending.includes(item)));
      const result = await this.#perform({ ...call, targets, items });
      if (result !== 'done') return result;
    }
    return 'done';
  }

  async #reload(): Promise<void> {
    const targets = await this.options.readTargets();
    this.#targets = new Map(targets.map((each) => [each.name, each]));
    this.#loadedAt = this.options.timer.now();
  }

  #replace(states: ReadonlyMap<string, TargetState>): void {
    for (const [target, state] of states) {
      const known = this.#targets.get(target);
      if (known !== undefined) this.#targets.set(target, { ...known, state });
      // A handle has another owner; or somebody who was named by a handle was forgotten, which only the ID shows.
      if (known === undefined || (known.state.id === null && state.id !== null)) this.#loadedAt = -Infinity;
    }
  }
}

function latestAnswer(targets: Iterable<Target>, step: string): number {
  let latest = -Infinity;
  for (const { state } of targets) latest = Math.max(latest, state.asked[step] ?? -Infinity);
  return latest;
}

function requestOf({ step, targets, items }: Call): PlatformRequest {
  return step.kind === 'details' ? step.request(items) : step.request(targets.map(subjectOf));
}
