import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../database/database.js';
import { countOf } from '../../model/counts.js';
import { OperatorError } from '../operator-error.js';
import {
  BatchRequestError,
  nullIfGone,
  type Batch,
  type BatchApi,
  type BatchReply,
  type BatchResults,
} from './batch-api.js';
import type { Candidate } from './candidates.js';
import { addTokens, BATCH_PERCENT, NO_TOKENS, type Tokens } from './cost.js';
import { EndpointCapabilities } from './endpoint-capabilities.js';
import type { CreatorOutcome, Enricher } from './enricher.js';
import { findSubmitted, journalRow } from './journal.js';
import type { Ledger } from './ledger.js';
import { boundOf, createBody } from './request-body.js';
import type { RunResult } from './run.js';
import type { BatchState, CountedOutcome } from './run-state.js';
import type { CreatorResult } from './store-results.js';
import { invalidOf, restore, WaitingRequests, type SubmittedRequest, type Waiting } from './waiting-request.js';

/** Limits of a file. Vendors accept more, but a smaller batch is sooner done. */
const MAX_REQUESTS = 1000;
const MAX_BYTES = 50 * 1024 * 1024;

/** Reason for which an endpoint rejects a file because of features that it lacks. */
const LACKS_FEATURES = /response_format|json_schema|json_object|max_tokens|max_completion_tokens/;

export interface BatchRunOptions {
  readonly database: Database;
  readonly api: BatchApi;
  readonly ledger: Ledger;
  readonly enricher: Enricher;
  readonly model: string;
  readonly maxOutput: number;
  readonly signal: AbortSignal;
  /** Waits before the state of a batch is read again. */
  readonly poll: () => Promise<unknown>;
  /** Prints a line for the operator. */
  readonly print: (line: string) => void;
}

/** The requests of a batch. */
interface Requests {
  readonly lines: readonly string[];
  readonly hashes: readonly string[];
  readonly submitted: readonly CreatorResult[];
  readonly reserved: Tokens;
  readonly cost: number;
}

/** A batch at the endpoint. */
interface Submitted {
  readonly state: BatchState;
  readonly batch: Batch;
  /** Hashes of its inputs; empty for a batch of an earlier process. */
  readonly hashes: readonly string[];
}

/** Makes analyses by batches, one after the other. A run that was killed reads the results of its batch first. */
export class BatchRun {
  readonly #counts: Partial<Record<CreatorOutcome, number>> = {};
  readonly #capabilities = new EndpointCapabilities();
  readonly #waiting = new WaitingRequests();
  #isSpent = false;

  constructor(private readonly options: BatchRunOptions) {}

  async run(candidates: AsyncGenerator<Candidate>): Promise<RunResult> {
    const { signal, ledger } = this.options;
    for (const batch of ledger.batches) if (!signal.aborted) await this.#resume(batch);
    while (!signal.aborted && !this.#isSpent) {
      const submitted = await this.#submit(candidates);
      if (submitted === null) break;
      await this.#finish(submitted);
    }
    await candidates.return(undefined);
    return { end: signal.aborted ? 'stopped' : this.#isSpent ? 'limit' : 'done', counts: this.#counts };
  }

  /** Continues a batch of a run that did not end. */
  async #resume(state: BatchState): Promise<void> {
    const { api, ledger, enricher, signal } = this.options;
    const { host } = state.origin;
    if (host !== enricher.setup.origin.host) {
      throw new OperatorError(
        'invalid_arguments',
        `a batch of the run that did not end is at ${host}: correct ENRICH_BASE_URL`,
      );
    }
    const batch = await nullIfGone(state.id === null ? api.find(state.marker, signal) : api.get(state.id));
    if (signal.aborted) return;
    if (batch === null && !state.isSent) return ledger.settleBatch(state, NO_TOKENS, [], BATCH_PERCENT);
    if (batch === null) return this.#chargeLost(state);
    await ledger.updateBatch(state.marker, { id: batch.id });
    return this.#finish({ state, batch, hashes: [] });
  }

  /** Charges a batch in full that the endpoint does not have: it may have answered it, and removed it since.
   * @param failed creators whom this run does not select again */
  #chargeLost(state: BatchState, failed = 0): Promise<void> {
    const problem = `${state.origin.host} does not have a batch any more`;
    this.options.print(`${problem}: its ${state.requests} requests count as charged in full.`);
    for (let count = 0; count < failed; count += 1) this.#fail(problem);
    return this.options.ledger.settleBatch(state, state.reserved, [], BATCH_PERCENT);
  }

  /** Submits the next batch. @returns null if there is nothing to submit */
  async #submit(candidates: AsyncGenerator<Candidate>): Promise<Submitted | null> {
    const { ledger, enricher } = this.options;
    const { features } = this.#capabilities;
    const requests = await this.#prepare(candidates);
    if (requests === null) return null;
    const { lines, hashes, submitted, reserved, cost } = requests;
    const marker = randomUUID();
    const batch = { marker, id: null, reserved, cost, requests: lines.length, isSent: false, features };
    const state: BatchState = { ...batch, ...enricher.setup };
    await ledger.submitBatch(state, submitted, BATCH_PERCENT);
    return { state, batch: await this.#send(state, lines), hashes };
  }

  /** Uploads and creates a batch. @throws OperatorError if the endpoint does not accept it. Then it costs nothing */
  async #send(state: BatchState, lines: readonly string[]): Promise<Batch> {
    const { api, ledger } = this.options;
    let mayExist = false;
    try {
      const file = await api.upload(lines);
      await ledger.updateBatch(state.marker, { isSent: true });
      mayExist = true;
      const batch = await api.create(file, state.marker);
      await ledger.updateBatch(state.marker, { id: batch.id });
      return batch;
    } catch (error) {
      const isRejected = error instanceof BatchRequestError && !(mayExist && error.mayBeDone);
      if (isRejected) await ledger.settleBatch(state, NO_TOKENS, [], BATCH_PERCENT);
      throw error;
    }
  }

  /** Prepares the requests of the next batch, as many as fit into the limits. @returns null if there are none, or the run stops */
  async #prepare(candidates: AsyncGenerator<Candidate>): Promise<Requests | null> {
    const { ledger, model, maxOutput, enricher, signal } = this.options;
    const { features } = this.#capabilities;
    const lines: string[] = [];
    const submitted: CreatorResult[] = [];
    const hashes: string[] = [];
    let reserved = NO_TOKENS;
    let cost = 0;
    for (let bytes = 0; lines.length < MAX_REQUESTS && bytes < MAX_BYTES;) {
      const next = await this.#next(candidates);
      if (next === null) break;
      const { candidate, invalid } = next;
      const { input, creator, hash, entry } = candidate;
      if (input === null) continue;
      const showsSchema = invalid !== null || features.format !== 'json_schema';
      const body = createBody({ model, maxOutput, ...features }, enricher.messages(input, showsSchema, invalid));
      const bound = boundOf(JSON.stringify(body), maxOutput);
      const reservation = ledger.createFitting({ tokens: reserved, cost }, bound, BATCH_PERCENT);
      if (reservation === null) {
        this.#waiting.putBack(next);
        // A batch costs less than its reservation, so its end makes room for the next one.
        this.#isSpent = lines.length === 0;
        break;
      }
      reserved = addTokens(reserved, reservation.tokens);
      cost += reservation.cost;
      const line = JSON.stringify({ custom_id: hash, method: 'POST', url: '/v1/chat/completions', body });
      lines.push(line);
      hashes.push(hash);
      bytes += Buffer.byteLength(line);
      const answer = JSON.stringify({ input: input.text, invalid } satisfies SubmittedRequest);
      const tokens = entry?.tokens ?? NO_TOKENS;
      const journal = { state: 'submitted', tokens, reason: null, answer, changedAt: Date.now() } as const;
      submitted.push({ creator, journal: journalRow(hash, creator, journal), record: null });
    }
    if (signal.aborted || lines.length === 0) return null;
    return { lines, hashes, submitted, reserved, cost };
  }

  async #next(candidates: AsyncGenerator<Candidate>): Promise<Waiting | null> {
    const waiting = this.#waiting.next();
    if (waiting !== undefined) return waiting;
    while (!this.options.signal.aborted) {
      const { value } = await candidates.next();
      if (value === undefined) return null;
      if (this.#waiting.has(value.hash)) continue;
      const known = await this.options.enricher.processKnown(value);
      if (known === null) return { candidate: value, invalid: invalidOf(value) };
      this.#count(known);
    }
    return null;
  }

  /** Waits until a batch has ended, and stores its results. */
  async #finish(submitted: Submitted): Promise<void> {
    const { api, signal, poll } = this.options;
    let { batch } = submitted;
    while (!api.hasEnded(batch)) {
      await poll();
      if (signal.aborted) return;
      const next = await nullIfGone(api.get(batch.id));
      if (next === null) return this.#chargeLost(submitted.state, submitted.hashes.length);
      batch = next;
    }
    if (batch.status === 'failed' && !batch.output_file_id) return this.#sendAgain(submitted, batch);
    return this.#store(submitted, batch.status, await api.readResults(batch));
  }

  /** Puts the requests of a batch whose file was rejected into the next one, if it may be accepted with other features.
   * @throws OperatorError otherwise */
  async #sendAgain({ state, hashes }: Submitted, batch: Batch): Promise<void> {
    const { database, ledger, api } = this.options;
    await ledger.settleBatch(state, NO_TOKENS, [], BATCH_PERCENT);
    const reason = api.failureOf(batch);
    const isAccepted = LACKS_FEATURES.test(reason) && this.#capabilities.reject(state.features, reason) === 'retry';
    if (!isAccepted || hashes.length === 0) {
      const advice = hashes.length === 0 ? 'run the same command again' : 'leave out --batch';
      throw new OperatorError('failed', `the endpoint rejects the batch (${reason}): ${advice}`);
    }
    this.#waiting.add((await findSubmitted(database, hashes)).flatMap((row) => restore(row) ?? []));
  }

  async #store({ state }: Submitted, status: string, read: BatchResults): Promise<void> {
    const { ledger, database, print } = this.options;
    const { results, unreadable, missingFiles } = read;
    const { features } = state;
    if (missingFiles > 0) {
      print(`${state.origin.host} does not have the results of a batch any more: it counts as charged in full.`);
    }
    const byHash = new Map<string, BatchReply>();
    for (const result of results) if (!byHash.get(result.hash)?.reply) byHash.set(result.hash, result);
    const replies = results.flatMap(({ reply }) => reply ?? []);
    if (replies.length > 0) this.#capabilities.confirm(features);
    const rejection = results.find(({ isRejected }) => isRejected);
    const sendsAgain = rejection !== undefined && this.#capabilities.reject(features, rejection.reason) === 'retry';
    const stored: CreatorResult[] = [];
    for (const row of await findSubmitted(database, [...byHash.keys()])) {
      const result = byHash.get(row.hash);
      const waiting = restore(row);
      if (result === undefined || waiting === null) continue;
      if (result.isRejected && sendsAgain) this.#waiting.add([waiting]);
      else stored.push(...this.#judge(waiting, result, state));
    }
    // A result without a row is of a creator who was forgotten since.
    const unanswered = Math.max(0, state.requests - byHash.size);
    for (let count = 0; count < unanswered; count += 1) this.#fail(`no answer in the ${status} batch`);
    if (unanswered > 0 && unreadable + missingFiles === 0) {
      print(`${state.origin.host} left out ${countOf(unanswered, 'result')}: the batch counts as charged in full.`);
    }
    const isUnknown = unanswered + unreadable + missingFiles > 0 || replies.some(({ usage }) => usage === null);
    const charged = replies.flatMap(({ usage }) => usage ?? []).reduce(addTokens, NO_TOKENS);
    // Without a result of every request, and a usage in every answer, nobody knows what the batch cost.
    await ledger.settleBatch(state, isUnknown ? state.reserved : charged, stored, BATCH_PERCENT);
  }

  /** @returns what to store */
  #judge(
    { candidate, invalid }: Waiting,
    { reply, reason }: BatchReply,
    { origin, mayInfer }: BatchState,
  ): CreatorResult[] {
    const { ledger, enricher } = this.options;
    const { input, entry } = candidate;
    if (input === null) return [];
    if (reply === null || 'problem' in reply.result) {
      this.#fail(reply !== null && 'problem' in reply.result ? reply.result.problem : reason);
      return [];
    }
    const usage = reply.usage ?? NO_TOKENS;
    const before = enricher.paidFor(entry, BATCH_PERCENT);
    const paid = { tokens: addTokens(before.tokens, usage), cost: before.cost + ledger.costOf(usage, BATCH_PERCENT) };
    const setup = { origin, mayInfer };
    const verdict = enricher.withSetup(setup).judge(candidate, input, reply, paid, invalid !== null);
    if (verdict.kind !== 'invalid') this.#count(verdict.kind, true);
    // A repair with another model or prompt would be another input.
    else if (!isDeepStrictEqual(setup, enricher.setup)) this.#fail('an invalid answer of another model or prompt');
    else {
      const due = entry && { ...entry, tokens: paid.tokens };
      this.#waiting.add([{ candidate: { ...candidate, entry: due }, invalid: verdict.invalid }]);
    }
    return [verdict.result];
  }

  #fail(reason: string): void {
    this.options.enricher.reasons.add([{ reason }]);
    this.#count('failed', true);
  }

  /** @param isLedgered whether the ledger counts the creator, too */
  #count(outcome: CreatorOutcome, isLedgered = false): void {
    this.#counts[outcome] = (this.#counts[outcome] ?? 0) + 1;
    if (isLedgered) this.options.ledger.count(outcome as CountedOutcome);
  }
}
