import { setTimeout as delay } from 'node:timers/promises';
import { retryDelayMs } from '../collect/backoff.js';
import { OperatorError } from '../operator-error.js';
import type { CallOutcome, ChatEndpoint } from './chat-endpoint.js';
import type { ChatReply } from './chat-reply.js';
import type { Tokens } from './cost.js';
import { EndpointCapabilities, type Features } from './endpoint-capabilities.js';
import type { Ledger } from './ledger.js';
import type { Message } from './prompt.js';
import { boundOf, createBody } from './request-body.js';
import type { SpendReservation } from './run-state.js';

/** Attempts of a call whose requests are lost. Each counts as charged in full. */
const MAX_LOST = 3;
/** Attempts of a call that the endpoint rejects for the moment. */
const MAX_WAITS = 6;
/** Failed calls in a row after which a run stops, so that an outage does not use up its money. */
const MAX_FAILURES = 5;
/** Longest wait that an endpoint can ask for. */
const MAX_RETRY_AFTER_MS = 600_000;

/** An answer, with the reservation to settle by what it was charged. */
export interface PaidReply {
  readonly kind: 'reply';
  readonly reply: ChatReply;
  readonly reservation: SpendReservation;
  readonly charged: Tokens;
}

/**
 * Result of a call. `limit`: it does not fit into the limits. `rejected`: the endpoint will never answer this input. `failed`: another run
 * may succeed. `stopped`: the run ends.
 */
export type ModelCallResult =
  | PaidReply
  | { readonly kind: 'limit' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

type RequestRejection = Extract<CallOutcome, { kind: 'rejected' }>;

export interface CallerOptions {
  readonly endpoint: ChatEndpoint;
  readonly ledger: Ledger;
  readonly host: string;
  readonly model: string;
  readonly maxOutput: number;
  /** Lets calls in flight end, and starts no others. */
  readonly signal: AbortSignal;
}

/** Calls an endpoint with a reservation for each request, waits and retries, and finds out what the endpoint supports. */
export class ModelClient {
  readonly #capabilities = new EndpointCapabilities();
  #failures = 0;
  /** Time before which no request is sent, because the endpoint asked for a pause. */
  #pausedUntil = 0;

  constructor(private readonly options: CallerOptions) {}

  /** @param messages creates the messages; `showsSchema`: the format does not carry the schema */
  async call(messages: (showsSchema: boolean) => readonly Message[]): Promise<ModelCallResult> {
    const { endpoint, ledger, signal, model, maxOutput } = this.options;
    let [lost, waits] = [0, 0];
    for (;;) {
      await this.#pause();
      if (signal.aborted) return { kind: 'stopped' };
      const { features } = this.#capabilities;
      const shown = messages(features.format !== 'json_schema');
      const body = JSON.stringify(createBody({ model, maxOutput, ...features }, shown));
      const reservation = await ledger.acquire(boundOf(body, maxOutput));
      if (reservation === null) return { kind: 'limit' };
      const outcome = await endpoint.complete(body);
      if (outcome.kind === 'reply') return this.#accept(outcome.reply, reservation, features);
      if (outcome.kind === 'lost') {
        await ledger.settle(reservation, reservation.tokens, null);
        lost += 1;
        if (lost === MAX_LOST) return this.#fail(outcome.reason);
        this.#pauseFor(retryDelayMs(lost, Math.random()));
        continue;
      }
      await ledger.refund(reservation);
      if (outcome.kind === 'unsent' || isTransient(outcome)) {
        const reason =
          outcome.kind === 'unsent' ? outcome.reason : `status ${outcome.status}: ${outcome.error.message}`;
        waits += 1;
        if (waits === MAX_WAITS || (outcome.kind === 'unsent' && waits === MAX_LOST)) return this.#fail(reason);
        // An endpoint that asks for no pause gets one: it would be asked again at once.
        const askedMs = outcome.kind === 'rejected' ? (outcome.retryAfterMs ?? 0) : 0;
        this.#pauseFor(Math.max(askedMs, retryDelayMs(waits, Math.random())));
        continue;
      }
      const next = this.#adapt(outcome, features);
      if (next !== 'again') return next;
    }
  }

  async #accept(reply: ChatReply, reservation: SpendReservation, used: Features): Promise<ModelCallResult> {
    const charged = reply.usage ?? reservation.tokens;
    if ('problem' in reply.result) {
      await this.options.ledger.settle(reservation, charged, null);
      return this.#fail(reply.result.problem);
    }
    this.#failures = 0;
    this.#capabilities.confirm(used);
    return { kind: 'reply', reply, reservation, charged };
  }

  /** Adapts to what the endpoint supports. @throws OperatorError if no request can succeed */
  #adapt({ status, error }: RequestRejection, used: Features): ModelCallResult | 'again' {
    const said = `status ${status}${error.message === '' ? '' : `: ${error.message}`}`;
    if (isFinal(status, error.code)) {
      throw new OperatorError(
        'failed',
        `${this.options.host} rejects the requests (${said}): ${adviceFor(status, error.code)}`,
      );
    }
    const rejected = this.#capabilities.reject(used, error.message);
    if (rejected === 'retry') return 'again';
    if (rejected === 'unsupported') return this.#fail(said);
    // An endpoint that rejects one input after the other rejects something else, such as an account.
    this.#fail(said);
    return { kind: 'rejected', reason: `the endpoint rejects the input (${said})` };
  }

  /** @throws OperatorError after too many failures in a row */
  #fail(reason: string): ModelCallResult {
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return { kind: 'failed', reason };
    throw new OperatorError(
      'unavailable',
      `${this.options.host} failed ${this.#failures} times in a row (${reason}): check ENRICH_BASE_URL and ENRICH_MODEL, and run the same command again`,
    );
  }

  #pauseFor(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + Math.min(ms, MAX_RETRY_AFTER_MS));
  }

  async #pause(): Promise<void> {
    const { signal } = this.options;
    // Others may prolong the pause meanwhile.
    for (let ms = this.#remaining(); ms > 0 && !signal.aborted; ms = this.#remaining()) {
      await delay(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  #remaining(): number {
    return this.#pausedUntil - Date.now();
  }
}

/** Statuses for which the same request may succeed later. */
const isTransient = ({ status, error }: RequestRejection): boolean =>
  [409, 425, 429].includes(status) && !isFinal(status, error.code);

/** Statuses for which no request will succeed. */
const isFinal = (status: number, code: string): boolean =>
  status < 400 || [401, 402, 403, 404, 405].includes(status) || isOutOfMoney(code);

const isOutOfMoney = (code: string): boolean => /insufficient_quota|billing/.test(code);

function adviceFor(status: number, code: string): string {
  if (status === 401 || status === 403) return 'correct ENRICH_API_KEY';
  if (status === 402 || isOutOfMoney(code)) return "check the account's balance and limits";
  return 'correct ENRICH_BASE_URL and ENRICH_MODEL';
}
