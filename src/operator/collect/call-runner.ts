import type { Database } from '../../database/database.js';
import { RejectionReasons } from '../import/reasons.js';
import { OperatorError } from '../operator-error.js';
import { CALL_TIMEOUT_MS, rejectedCredentials, type ApiClient } from './api-client.js';
import type { ApiReply } from './api-reply.js';
import { failedRetryMs, MAX_RETRIES, outagePauseMs, retryDelayMs } from './backoff.js';
import { callIntervalMs, type PlatformRequest, type CollectPlatform } from './collect-platform.js';
import type { CollectStore, CallReservation } from './collect-store.js';
import { quotaDay } from './quota-day.js';
import type { ResponseArchive } from './response-archive.js';
import { wrapResponse, storeResponse } from './response-run.js';
import type { Call } from './schedule.js';
import type { TargetState } from './target-state.js';
import type { Timer } from './timer.js';
import { afterFailure, afterRejection, type StateChanges } from './transitions.js';

/** How long a call belongs to the collector: the time limit of the call, and time to store the answer. */
const CLAIM_MS = 2 * CALL_TIMEOUT_MS;

/** A run that is no loop ends after this many failed calls in a row. */
const MAX_FAILURES_IN_ROW = 5;

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
 * Returns the states of a call's creators after its answer; null if the body is no answer of the call. May read the database.
 * @param at when it was asked
 */
export type ReadAnswer = (body: unknown, at: number) => Promise<((current: Call) => StateChanges) | null>;

/** Result of a call: `done`, even if all attempts failed; or why no call can follow now. */
export type CallStatus = 'done' | 'exhausted' | 'stopped';

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

  /** @param replace is called with states that have changed */
  constructor(
    private readonly options: CallRunnerOptions,
    private readonly replace: (states: ReadonlyMap<string, TargetState>) => void,
  ) {}

  /** Makes a call, with its retries. @throws OperatorError if the platform rejects the credentials or is down */
  async perform(call: Call, request: PlatformRequest, readAnswer: ReadAnswer): Promise<CallStatus> {
    try {
      return await this.#perform(call, request, readAnswer);
    } catch (error) {
      // The next run, with other credentials, need not wait until the claim expires.
      if (error instanceof OperatorError && error.code === 'invalid_setting')
        await this.#update(call, (current) => afterFailure(current, 0));
      throw error;
    }
  }

  async #perform(call: Call, request: PlatformRequest, readAnswer: ReadAnswer): Promise<CallStatus> {
    const { client, store, timer, random, signal, platform } = this.options;
    // During an outage, each call is one attempt to find out whether it is over.
    const maxRetries = this.#failuresInRow === 0 ? MAX_RETRIES : 0;
    await timer.sleep(outagePauseMs(this.#failuresInRow), signal);
    let holdsClaim = false;
    let hasRenewed = false;
    for (let retries = 0; !signal.aborted;) {
      const day = this.#today();
      const reservation = await this.#reserve(call, holdsClaim);
      if (reservation.kind === 'exhausted') return 'exhausted';
      this.replace(reservation.states);
      if (reservation.kind === 'outdated') return 'done';
      holdsClaim = true;
      await timer.sleep(reservation.at - timer.now(), signal);
      if (signal.aborted) break;
      // The call counts against the day on which it is sent.
      if (this.#today() !== day) continue;
      const at = timer.now();
      this.sent += 1;
      this.units += call.step.units;
      const canRenew = client.canRenew && !hasRenewed;
      const reply = this.#withoutForbidden(this.#withoutNotFound(call, await client.send(request)), canRenew);
      const change = reply.kind === 'answer' ? await readAnswer(reply.body, at) : null;
      if (reply.kind === 'answer' && change !== null) {
        await this.#keepAnswer(call, request, reply.body, change);
        return 'done';
      }
      switch (reply.kind) {
        case 'nothing':
        case 'rejected':
          if (reply.kind === 'rejected') {
            this.reasons.add([{ reason: `${call.step.name}: ${reply.reason}` }]);
            this.rejected += call.targets.length === 1 ? 1 : 0;
          }
          await this.#update(call, (current) => afterRejection(current, at));
          this.#failuresInRow = 0;
          return 'done';
        case 'exhausted':
          await store.exhaust(this.#today(), Math.min(this.options.budget ?? Infinity, Number.MAX_SAFE_INTEGER));
          await this.#update(call, (current) => afterFailure(current, at));
          return 'exhausted';
        case 'unauthorized':
          if (!canRenew) throw rejectedCredentials(platform.source);
          client.discardToken();
          hasRenewed = true;
          break;
        case 'wait':
          // The wait may end on the next day of the ledger.
          for (const each of new Set([this.#today(), this.#dayOf(reply.until)])) await store.pause(each, reply.until);
          // Gives the claim back: the wait may be longer.
          await this.#update(call, (current) => afterFailure(current, reply.until));
          holdsClaim = false;
          await timer.sleep(reply.until - timer.now(), signal);
          break;
        case 'answer':
        case 'unavailable':
          if (retries === maxRetries) {
            await this.#giveUp(call, reply.kind === 'answer' ? 'the answer has another form' : reply.reason);
            return 'done';
          }
          retries += 1;
          await timer.sleep(retryDelayMs(retries, random()), signal);
      }
    }
    // The creators are due again at once.
    if (holdsClaim) await this.#update(call, (current) => afterFailure(current, 0));
    return 'stopped';
  }

  /** Treats a 404 as an outage where an empty list is expected: the URL is wrong, or a proxy answered. */
  #withoutNotFound({ step }: Call, reply: ApiReply): ApiReply {
    const isList = step.kind === 'identity' || this.options.platform.source === 'igdb';
    return reply.kind === 'nothing' && isList ? { kind: 'unavailable', reason: 'HTTP 404' } : reply;
  }

  /** Treats a 403 as the rejection of this call if the credentials are valid for others, as for an account that is not public. */
  #withoutForbidden(reply: ApiReply, canRenew: boolean): ApiReply {
    const isCallRejected = reply.kind === 'unauthorized' && reply.isForbidden && !canRenew && this.answered > 0;
    return isCallRejected ? { kind: 'rejected', reason: 'HTTP 403' } : reply;
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
    this.replace(await this.options.store.update(call, change));
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
    await archive?.append(text, envelope.fetched_at);
    const stored = await storeResponse(database, platform.source, text, timer.now(), this.reasons);
    await this.#update(call, change);
    for (const [kind, count] of stored.written) this.written.set(kind, (this.written.get(kind) ?? 0) + count);
    this.rejected += stored.rejected;
    this.answered += 1;
    this.#failuresInRow = 0;
    progress();
  }

  async #giveUp(call: Call, reason: string): Promise<void> {
    const { timer, message, platform, progress, isLoop } = this.options;
    this.failed += 1;
    this.#failuresInRow += 1;
    if (this.#failuresInRow === 1) message(`${platform.source} does not answer (${reason}).`);
    const retryAt = timer.now() + failedRetryMs(call.targets.map(({ state }) => state.everyMs));
    await this.#update(call, (current) => afterFailure(current, retryAt));
    progress();
    if (isLoop || this.#failuresInRow < MAX_FAILURES_IN_ROW) return;
    const advice = 'run the same command again later';
    throw new OperatorError('failed', `${platform.source} does not answer (${reason}): ${advice}`);
  }

  readonly #today = (): number => this.#dayOf(this.options.timer.now());

  readonly #dayOf = (at: number): number => quotaDay(at, this.options.platform.limits.timeZone);
}
