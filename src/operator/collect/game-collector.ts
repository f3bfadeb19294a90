import { CallRunner, type CallRunnerOptions } from './call-runner.js';
import type { GameSweep } from './game-pages.js';
import { CLAIM_POLL_MS, WAITS_FOR_CLAIM } from './claim-wait.js';
import { textAt } from './json-members.js';
import { nextQuotaDay } from './quota-day.js';
import { SWEEP } from './sweeps.js';
import type { Call, Target } from './schedule.js';
import { IDENTITY, initialState, markAnswered, type TargetState } from './target-state.js';
import type { StateChanges } from './transitions.js';

export interface GameCollectorOptions extends CallRunnerOptions {
  readonly sweeps: readonly GameSweep[];
  /** Interval of each sweep, in milliseconds. */
  readonly everyMs: number;
}

/** Asks IGDB about games, page by page. The state of a sweep has the end of the last page, so that it resumes there. */
export class GameCollector {
  readonly calls: CallRunner;
  isOverBudget = false;
  #targets = new Map<string, Target>();

  constructor(private readonly options: GameCollectorOptions) {
    this.calls = new CallRunner(options, {
      replace: (states) => {
        for (const [target, state] of states) this.#set(target, state);
      },
      remove: () => undefined,
      answeredAt: () => -Infinity,
    });
  }

  /** Runs until no sweep is due, or the signal is aborted. @throws OperatorError if IGDB rejects the credentials or is down */
  async run(): Promise<void> {
    const { sweeps, everyMs, timer, signal, isLoop, platform } = this.options;
    for (let isFirst = true; (isFirst || isLoop) && !signal.aborted; isFirst = false) {
      const states = await this.options.store.readStates();
      for (const { name } of sweeps)
        this.#set(`@${name}`, states.get(`@${name}`) ?? initialState(`@${name}`, everyMs, null));
      this.isOverBudget = false;
      for (const sweep of sweeps) await this.#run(sweep);
      if (!isLoop) return;
      const { timeZone } = platform.limits;
      // A sweep that failed on its way goes on soon.
      const times = [...this.#targets.values()].map(({ state: { asked, list, retries } }) =>
        Math.max(list === null ? (asked[SWEEP] ?? 0) + everyMs : 0, retries[IDENTITY] ?? 0),
      );
      const wakeAt = this.isOverBudget ? nextQuotaDay(timer.now(), timeZone) : Math.min(...times);
      // At least a minute: a sweep of which every call fails stays due.
      await timer.sleep(Math.max(60_000, wakeAt - timer.now()), signal);
    }
  }

  async #run({ name, page }: GameSweep): Promise<void> {
    const { database, store, timer, signal, everyMs, isLoop } = this.options;
    const startedAt = timer.now();
    for (;;) {
      const target = this.#targets.get(`@${name}`);
      if (target === undefined || signal.aborted) return;
      const { state } = target;
      const isUnfinished = state.list !== null;
      if (!isUnfinished && (state.asked[SWEEP] ?? -Infinity) + everyMs > startedAt) return;
      // A run without a loop does not wait for a retry.
      if (isLoop && (state.retries[IDENTITY] ?? 0) > startedAt) return;
      const next = await page(database, state.list);
      const began = isUnfinished ? (state.asked[SWEEP] ?? startedAt) : startedAt;
      const call: Call = { step: { ...STEP, name }, targets: [target], items: [] };
      const advance =
        (at: number, list: string | null) =>
        ({ targets }: Call): StateChanges =>
          new Map(
            targets.map(({ name: key, state: before }) => [
              key,
              { ...markAnswered(markAnswered(before, IDENTITY, at), SWEEP, began), list },
            ]),
          );
      if (next === null) {
        await store.update(call, advance(startedAt, null));
        return;
      }
      const { answered: answeredBefore } = this.calls;
      const result = await this.calls.perform(call, next.request, async (body, at) =>
        isGameList(body) ? advance(at, next.next(body)) : null,
      );
      this.isOverBudget ||= result === 'exhausted';
      if (this.calls.answered === answeredBefore && !(await this.#awaitClaim(name))) return;
    }
  }

  /** Waits for a page that another collector asks for, or one that was killed. @returns whether there was one */
  async #awaitClaim(name: string): Promise<boolean> {
    const { store, timer, signal, isLoop, message } = this.options;
    const claimedUntil = this.#targets.get(`@${name}`)?.state.claims[IDENTITY] ?? 0;
    // A loop looks again soon anyway.
    if (isLoop || claimedUntil <= timer.now()) return false;
    message(WAITS_FOR_CLAIM);
    while (!signal.aborted && timer.now() < claimedUntil) {
      await timer.sleep(CLAIM_POLL_MS, signal);
      const state = (await store.readStates()).get(`@${name}`);
      if (state === undefined) return false;
      this.#set(`@${name}`, state);
      if ((state.claims[IDENTITY] ?? 0) !== claimedUntil) break;
    }
    return true;
  }

  #set(target: string, state: TargetState): void {
    this.#targets.set(target, { name: target, handle: null, everyMs: this.options.everyMs, state });
  }
}

/** Reports whether an answer is a list of games. An error of IGDB is a list, too. */
const isGameList = (body: unknown): boolean =>
  Array.isArray(body) && (body.length === 0 || body.some((game) => textAt(game, 'id') !== null));

const unused = (): never => {
  throw new Error('GamePages creates the requests of a sweep');
};

/** Sweeps use the kind `identity`: their calls need no known ID, a 404 counts as an outage, and a 403 as rejected credentials. */
const STEP = {
  kind: 'identity',
  batchSize: 1,
  units: 1,
  asksHandlesAlone: false,
  isAnswer: Array.isArray,
  request: unused,
  read: unused,
} as const;
