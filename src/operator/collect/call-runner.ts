import type { Database } from '../../database/database.js';
import { RejectionReasons } from '../import/reasons.js';
import { OperatorError } from '../operator-error.js';
import { CALL_TIMEOUT_MS, rejectedCredentials, type ApiClient } from './api-client.js';
import type { ApiReply } from './api-reply.js';
import { MAX_RETRIES, outagePauseMs, retryDelayMs } from './backoff.js';
import { callIntervalMs, type PlatformRequest, type CollectPlatform } from './collect-platform.js';
import type { CollectStore, CallReservation } from './collect-store.js';
import { quotaDay } from './quota-day.js';
import type { ResponseArchive } from './response-archive.js';
import { wrapResponse, storeResponse } from './response-run.js';
import { stepKey, type Call } from './schedule.js';
import type { TargetState } from './target-state.js';
import type { Timer } from './timer.js';
import { afterFailure, afterRejection, afterRelease, type StateChanges } from './transitions.js';

/**
 * How long a call belongs to the collector: the time limits of the token and the call, and time to store the answer or for the
 * longest delay before a retry.
 */
const CLAIM_MS = 3 * CALL_TIMEOUT_MS;

/** Without `--loop`, a run ends after this many failed calls in a row. */
const MAX_FAILURES_IN_ROW = 5;

/** Consecutive creators with a first 403 for a step, after which the credentials count as rejected. */
const MAX_FORBIDDEN_IN_ROW = 3;

/** Items rejected in a row after which a call about several is not split any more: the platform rejects all. */
const MAX_REJECTED_ITEMS_IN_ROW = 3;

export interface CallRunnerOptions {
  readonly platform: Pick<CollectPlatform, 'source' | 'url' | 'limits'>;
  readonly client: ApiClient;
  readonly store: CollectStore;
  readonly database: Database;
  readonly timer: Timer;
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number;
  /** Units a day; null: only the limit by minute counts. */
  readonly budget: number | null;
  readonly isLoop: boolean;
  readonly archive: ResponseArchive | null;
  /** Called after each call. */
  readonly progress: () => void;
  /** Prints a line for people. */
  readonly message: (line: string) => void;
  /** Stops the run after the call in flight. */
  readonly signal: AbortSignal;
}

/**
 * Returns the states of a call's creators after its answer; null if the body is not an answer of the call. May read the database.
 * @param at when it was asked
 */
export type AnswerReader = (body: unknown, at: number) => Promise<((current: Call) => StateChanges) | null>;

/**
 * Result of a call: `done`, even if all attempts failed; `split` if its items are to be asked for in smaller calls; or why no call
 * can follow now.
 */
export type CallStatus = 'done' | 'split' | 'exhausted' | 'stopped';

/** The creators as the collector knows them. */
export interface KnownTargets {
  /** Called with states that have changed. */
  replace(states: ReadonlyMap<string, TargetState>): void;
  /** Called with creators who were forgotten. */
  remove(targets: readonly string[]): void;
  /** Returns when the platform last answered a step, about anybody; -Infinity: never. */
  answeredAt(step: string): number;
}

/** Makes calls one after another: reserves, sends, retries, and stores the answers. */
export class CallRunner {
  /** Calls that were answered. */
  answered = 0;
  /** Requests, including repeated ones. */
  sent = 0;
  /** Calls that failed in all attempts. */
  failed = 0;
  units = 0;
  rejected = 0;
  readonly reasons = new RejectionReasons();
  readonly written = new Map<string, number>();
  #failuresInRow = 0;
  #rejectedItemsInRow = 0;
  /** Creators with a first 403 since the last answer. */
  readonly #forbidden = new Set<string>();
  /** Whether a 403 has renewed the token since the last answer. */
  #hasRenewedForbidden = false;

  constructor(
    private readonly options: CallRunnerOptions,
    private readonly known: KnownTargets,
  ) {}

  /** Makes a call, with its retries. @throws OperatorError if the platform rejects the credentials or is down */
  async perform(call: Call, request: PlatformRequest, readAnswer: AnswerReader): Promise<CallStatus> {
    try {
      return await this.#perform(call, request, readAnswer);
    } catch (error) {
      // The next run, with other credentials, need not wait until the claim expires.
      if (error instanceof OperatorError && error.code === 'invalid_setting') await this.#release(call);
      throw error;
    }
  }

  async #perform(call: Call, request: PlatformRequest, readAnswer: AnswerReader): Promise<CallStatus> {
    const { client, store, timer, random, signal, platform, budget } = this.options;
    // During an outage, each call is one attempt to find out whether it is over.
    const maxRetries = this.#failuresInRow === 0 ? MAX_RETRIES : 0;
    await timer.sleep(outagePauseMs(this.#failuresInRow), signal);
    let holdsClaim = false;
    let hasRenewed = false;
    for (let retries = 0; !signal.aborted;) {
      const day = this.#today();
      const reservation = await this.#reserve(call, holdsClaim);
      if (reservation.kind === 'exhausted') {
        if (holdsClaim) await this.#release(call);
        return 'exhausted';
      }
      this.known.replace(reservation.states);
      if (reservation.kind === 'outdated') {
        this.known.remove(reservation.forgotten);
        if (holdsClaim) await this.#release(call);
        return 'done';
      }
      holdsClaim = true;
      await timer.sleep(reservation.at - timer.now(), signal);
      if (signal.aborted) break;
      // The call counts against the day on which it is sent.
      if (this.#today() !== day) continue;
      const at = timer.now();
      this.sent += 1;
      this.units += call.step.units;
      const reply = withoutNotFound(call, await client.send(request));
      const change = reply.kind === 'answer' ? await readAnswer(reply.body, at) : null;
      if (reply.kind === 'answer' && change !== null) {
        await this.#keepAnswer(call, request, reply.body, change);
        return 'done';
      }
      switch (reply.kind) {
        case 'not_found':
          await this.#update(call, (current) => afterRejection(current, at));
          this.#failuresInRow = 0;
          return 'done';
        case 'rejected':
          return this.#handleRejection(call, reply.reason, at);
        case 'exhausted':
          // The answer may come on the next day.
          await store.exhaust(day, Math.min(budget ?? Infinity, Number.MAX_SAFE_INTEGER));
          await this.#release(call);
          return 'exhausted';
        case 'unauthorized':
          if (client.canRenew && !hasRenewed && !(reply.isForbidden && this.#hasRenewedForbidden)) {
            client.discardToken();
            hasRenewed = true;
            this.#hasRenewedForbidden = reply.isForbidden;
            break;
          }
          if (!reply.isForbidden || call.step.kind === 'identity') throw rejectedCredentials(platform.source);
          await this.#handleForbidden(call, at);
          return 'done';
        case 'wait':
          await store.pause(reply.until);
          // Gives the claim back: the wait may be longer.
          await this.#release(call);
          holdsClaim = false;
          await timer.sleep(reply.until - timer.now(), signal);
          break;
        case 'answer':
        case 'unavailable':
          if (retries === maxRetries) {
            await this.#handleExhaustedRetries(
              call,
              reply.kind === 'answer' ? 'the answer has another form' : reply.reason,
            );
            return 'done';
          }
          retries += 1;
          await timer.sleep(retryDelayMs(retries, random()), signal);
      }
    }
    if (holdsClaim) await this.#release(call);
    return 'stopped';
  }

  /** Counts a rejected call. One about several creators or items is asked again in smaller ones, to find what is rejected. */
  async #handleRejection(call: Call, reason: string, at: number): Promise<CallStatus> {
    this.#failuresInRow = 0;
    if (call.items.length > 1 && this.#rejectedItemsInRow < MAX_REJECTED_ITEMS_IN_ROW) {
      await this.#release(call);
      return 'split';
    }
    this.#countRejection(call, reason);
    if (call.items.length > 1) await this.#scheduleRetry(call, at, Infinity);
    else await this.#update(call, (current) => afterRejection(current, at));
    this.#rejectedItemsInRow += call.items.length === 1 ? 1 : 0;
    return 'done';
  }

  /**
   * Puts a call off that the platform forbids, as for an account that is not public.
   * @throws OperatorError if it forbids as much about others, so that the credentials must be the reason
   */
  async #handleForbidden(call: Call, at: number): Promise<void> {
    const key = stepKey(call.step);
    for (const { name, state } of call.targets.slice(0, 1)) {
      if (state.failures[key] === undefined) this.#forbidden.add(name);
    }
    this.#failuresInRow = 0;
    this.#countRejection(call, 'HTTP 403');
    if (call.targets.length > 1 && call.items.length === 0)
      await this.#update(call, (current) => afterRejection(current, at));
    else await this.#scheduleRetry(call, at, Infinity);
    if (this.#forbidden.size >= MAX_FORBIDDEN_IN_ROW) throw rejectedCredentials(this.options.platform.source);
  }

  #countRejection({ step, targets, items }: Call, reason: string): void {
    this.reasons.add([{ reason: `${step.name}: ${reason}` }]);
    this.rejected += targets.length === 1 || items.length > 0 ? 1 : 0;
  }

  #reserve(call: Call, isRetry: boolean): Promise<CallReservation> {
    const { store, timer, platform, budget } = this.options;
    return store.reserve(call, {
      day: this.#today(),
      units: call.step.units,
      budget: budget ?? Infinity,
      intervalMs: callIntervalMs(platform.limits),
      now: timer.now(),
      claimMs: CLAIM_MS,
      isRetry,
    });
  }

  async #update(call: Call, change: (current: Call) => StateChanges): Promise<void> {
    this.known.replace(await this.options.store.update(call, change));
  }

  /** Gives the claim back. The creators are due again at once. */
  #release(call: Call): Promise<void> {
    return this.#update(call, afterRelease);
  }

  /** Puts a call off. @param answeredAt when the platform last answered the step; Infinity: it answers, but not this call */
  #scheduleRetry(call: Call, at: number, answeredAt: number): Promise<void> {
    return this.#update(call, (current) => afterFailure(current, at, answeredAt));
  }

  /** Stores an answer, then notes that it was asked: a collector that is killed in between repeats this one call. */
  async #keepAnswer(
    call: Call,
    request: PlatformRequest,
    body: unknown,
    change: (current: Call) => StateChanges,
  ): Promise<void> {
    const { archive, database, platform, timer, progress } = this.options;
    const envelope = wrapResponse(platform.url, request, body, timer.now());
    const text = JSON.stringify(envelope);
    // What was paid for is stored, even if the folder is full.
    const [kept] = await Promise.allSettled([archive?.append(text, envelope.fetched_at)]);
    const stored = await storeResponse(database, platform.source, text, timer.now(), this.reasons);
    await this.#update(call, change);
    for (const [kind, count] of stored.written) this.written.set(kind, (this.written.get(kind) ?? 0) + count);
    this.rejected += stored.rejected;
    this.answered += 1;
    this.#failuresInRow = 0;
    this.#rejectedItemsInRow = 0;
    this.#forbidden.clear();
    this.#hasRenewedForbidden = false;
    progress();
    if (kept.status === 'rejected') throw kept.reason;
  }

  async #handleExhaustedRetries(call: Call, reason: string): Promise<void> {
    const { timer, message, platform, progress, isLoop } = this.options;
    this.failed += 1;
    this.#failuresInRow += 1;
    if (this.#failuresInRow === 1) message(`${platform.source} does not answer (${reason}).`);
    await this.#scheduleRetry(call, timer.now(), this.known.answeredAt(stepKey(call.step)));
    progress();
    if (isLoop || this.#failuresInRow < MAX_FAILURES_IN_ROW) return;
    const advice = 'run the same command again later';
    throw new OperatorError('failed', `${platform.source} does not answer (${reason}): ${advice}`);
  }

  readonly #today = (): number => quotaDay(this.options.timer.now(), this.options.platform.limits.timeZone);
}

/**
 * A 404 has a meaning only for a list of items. For the identity step, it means a wrong URL or a proxy, so it counts as an outage;
 * for other steps, as a rejection.
 */
function withoutNotFound({ step }: Call, reply: ApiReply): ApiReply {
  if (reply.kind !== 'not_found' || step.kind === 'list') return reply;
  return { kind: step.kind === 'identity' ? 'unavailable' : 'rejected', reason: 'HTTP 404' };
}
