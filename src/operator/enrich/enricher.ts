import { RejectionReasons } from '../import/reasons.js';
import type { ModelClient, ModelCallResult, PaidReply } from './model-client.js';
import type { ChatReply } from './chat-reply.js';
import type { Candidate } from './candidates.js';
import { addTokens, NO_TOKENS, type Tokens } from './cost.js';
import {
  invalidResult,
  rejectedResult,
  validResult,
  type AnswerCharge,
  type AnalysisOrigin,
} from './creator-results.js';
import type { CreatorInput } from './creator-input.js';
import type { AnswerMaking, JournalEntry } from './journal.js';
import type { Ledger } from './ledger.js';
import { parseAnswer, type CheckedAnalysis, type ParsedAnswer } from './parse-answer.js';
import { createMessages, createRepair, type Message, type Prompt } from './prompt.js';
import type { CountedOutcome } from './run-state.js';
import type { CreatorResult } from './store-results.js';
import { isKept, parseStored } from './stored-answer.js';
import { UNKNOWN } from './unknown.js';
import { invalidOf, type InvalidAnswer } from './waiting-request.js';

export interface EnricherOptions extends RequestSetup {
  readonly model: ModelClient;
  readonly ledger: Ledger;
  readonly prompt: Prompt;
  /** Whether inputs that were rejected before are paid for again. */
  readonly retriesRejected: boolean;
  readonly hasPrices: boolean;
}

/** What became of a creator. `rejected_before`: its input was rejected by an earlier call. */
export type CreatorOutcome = CountedOutcome | 'rejected_before' | 'gone' | 'limit' | 'stopped';

/** Settings of requests that determine the check and the provenance of their answers. */
export interface RequestSetup {
  readonly origin: AnalysisOrigin;
  readonly mayInfer: boolean;
}

/** What was paid for a creator so far. */
export interface AmountPaid {
  readonly tokens: Tokens;
  readonly cost: number;
}

/** What an answer is worth, and what to store. */
export type AnswerVerdict =
  | { readonly kind: 'made'; readonly result: CreatorResult }
  | { readonly kind: 'rejected'; readonly result: CreatorResult }
  | { readonly kind: 'invalid'; readonly result: CreatorResult; readonly invalid: InvalidAnswer };

/** Makes the analyses of creators, one call and at most one repair each. */
export class Enricher {
  constructor(
    private readonly options: EnricherOptions,
    readonly reasons = new RejectionReasons(),
  ) {}

  get setup(): RequestSetup {
    const { origin, mayInfer } = this.options;
    return { origin, mayInfer };
  }

  /** Returns an enricher for the answers to requests that an earlier process made with its own settings. */
  withSetup(setup: RequestSetup): Enricher {
    return new Enricher({ ...this.options, ...setup }, this.reasons);
  }

  async process(candidate: Candidate): Promise<CreatorOutcome> {
    const known = await this.processKnown(candidate);
    if (known !== null) return known;
    const { input, entry } = candidate;
    if (input === null) throw new Error('the candidate has no input');
    const invalid = invalidOf(candidate);
    const paid = this.paidFor(entry);
    return invalid === null ? this.#ask(candidate, input, paid) : this.#repair(candidate, input, invalid, paid);
  }

  /** Processes a creator for whom no call is needed. @returns null for any other */
  async processKnown(candidate: Candidate): Promise<CreatorOutcome | null> {
    const { ledger, retriesRejected, origin, mayInfer } = this.options;
    const { input, entry } = candidate;
    if (input === null) return this.#count('empty');
    const parsed = parseStored(entry, input, mayInfer);
    if (isKept(candidate, parsed)) return this.#count('unchanged');
    // After a kill, the run has paid for its own rejections already.
    const isPaidAgain = retriesRejected && (entry?.changedAt ?? 0) < ledger.startedAt;
    if (entry?.state === 'rejected' && !isPaidAgain) return 'rejected_before';
    if (parsed === null || entry === null || entry.answer === null) return null;
    const { host, cost } = entry.making ?? UNKNOWN_MAKING;
    const charge = { tokens: entry.tokens, cost, at: entry.changedAt };
    const result = validResult(candidate, parsed, entry.answer, charge, { ...origin, host });
    return (await ledger.store(result, 'restored')) ? 'restored' : 'gone';
  }

  /** Returns what earlier calls for an input cost. @param percent part of the price that they cost */
  paidFor(entry: JournalEntry | null, percent = 100): AmountPaid {
    if (entry === null) return NOTHING_PAID;
    return { tokens: entry.tokens, cost: this.options.ledger.costOf(entry.tokens, percent) };
  }

  /** Reads an answer. @param isCut whether it was cut at the limit of output tokens */
  parse(answer: string, input: CreatorInput, isCut = false): ParsedReply {
    let parsed: ParsedAnswer;
    try {
      parsed = parseAnswer(answer, input, this.options.mayInfer);
    } catch (error) {
      // An answer that was paid for must be settled, whatever it contains.
      return { problems: [`the answer could not be checked: ${(error as Error).message}`], isUncheckable: true };
    }
    if (!isCut || !('problems' in parsed)) return parsed;
    return { problems: ['the answer was cut off because it is too long: write less', ...parsed.problems] };
  }

  /** Returns the messages about a creator. @param invalid the answer to repair */
  messages(input: CreatorInput, showsSchema: boolean, invalid: InvalidAnswer | null): Message[] {
    const { prompt, mayInfer } = this.options;
    const first = createMessages(prompt, input, { mayInfer, showsSchema });
    return invalid === null ? first : [...first, ...createRepair(prompt, invalid.answer, invalid.problems)];
  }

  /** Judges an answer. @param paid what was paid for the creator, this answer included
   * @param isRepair whether an invalid answer is rejected, because it was repaired already */
  judge(
    candidate: Candidate,
    input: CreatorInput,
    { result, isCut }: ChatReply,
    paid: AmountPaid,
    isRepair: boolean,
  ): AnswerVerdict {
    const charge = this.#charge(paid);
    const reject = (reason: string): AnswerVerdict => {
      this.reasons.add([{ reason }]);
      return { kind: 'rejected', result: rejectedResult(candidate, reason, charge) };
    };
    if ('refusal' in result) return reject(`the model refused: ${result.refusal}`);
    const answer = 'text' in result ? result.text : '';
    const parsed = this.parse(answer, input, isCut);
    if (!('problems' in parsed)) {
      return { kind: 'made', result: validResult(candidate, parsed, answer, charge, this.options.origin) };
    }
    const { problems, isUncheckable } = parsed;
    if (isRepair || isUncheckable) return reject(problems.join('; '));
    return {
      kind: 'invalid',
      result: invalidResult(candidate, answer, problems, charge),
      invalid: { answer, problems },
    };
  }

  async #ask(candidate: Candidate, input: CreatorInput, before: AmountPaid): Promise<CreatorOutcome> {
    const called = await this.options.model.call((showsSchema) => this.messages(input, showsSchema, null));
    if (called.kind !== 'reply') return this.#end(candidate, called, before);
    const paid = this.#add(before, called);
    const verdict = this.judge(candidate, input, called.reply, paid, false);
    const isStored = await this.#settle(called, verdict);
    if (!isStored) return 'gone';
    return verdict.kind === 'invalid' ? this.#repair(candidate, input, verdict.invalid, paid) : verdict.kind;
  }

  async #repair(
    candidate: Candidate,
    input: CreatorInput,
    invalid: InvalidAnswer,
    before: AmountPaid,
  ): Promise<CreatorOutcome> {
    // An endpoint may have ignored the schema of its format.
    const called = await this.options.model.call(() => this.messages(input, true, invalid));
    if (called.kind !== 'reply') return this.#end(candidate, called, before);
    const verdict = this.judge(candidate, input, called.reply, this.#add(before, called), true);
    if (verdict.kind === 'invalid') throw new Error('a repaired answer must be valid or rejected');
    return (await this.#settle(called, verdict)) ? verdict.kind : 'gone';
  }

  /** Ends a creator whose call brought no answer. */
  async #end(
    candidate: Candidate,
    called: Exclude<ModelCallResult, PaidReply>,
    paid: AmountPaid,
  ): Promise<CreatorOutcome> {
    if (called.kind === 'limit' || called.kind === 'stopped') return called.kind;
    this.reasons.add([called]);
    if (called.kind === 'failed') return this.#count('failed');
    const result = rejectedResult(candidate, called.reason, this.#charge(paid));
    return (await this.options.ledger.store(result, 'rejected')) ? 'rejected' : 'gone';
  }

  #settle({ reservation, charged }: PaidReply, { kind, result }: AnswerVerdict): Promise<boolean> {
    return this.options.ledger.settle(reservation, charged, result, kind === 'invalid' ? undefined : kind);
  }

  #add({ tokens, cost }: AmountPaid, { charged, reservation }: PaidReply): AmountPaid {
    return {
      tokens: addTokens(tokens, charged),
      cost: cost + this.options.ledger.costOf(charged, reservation.percent),
    };
  }

  #charge({ tokens, cost }: AmountPaid): AnswerCharge {
    const { hasPrices, ledger } = this.options;
    // A clock that is set back must not make a rejection of this run look like an earlier one.
    return { tokens, cost: hasPrices ? cost : null, at: Math.max(Date.now(), ledger.startedAt) };
  }

  #count(name: CountedOutcome): CountedOutcome {
    this.options.ledger.count(name);
    return name;
  }
}

/** An answer as it was read. One that cannot be checked is not repaired. */
type ParsedReply = CheckedAnalysis | { readonly problems: readonly string[]; readonly isUncheckable?: true };

/** Of an answer that an earlier version stored. */
const UNKNOWN_MAKING: AnswerMaking = { host: UNKNOWN, cost: null };

const NOTHING_PAID: AmountPaid = { tokens: NO_TOKENS, cost: 0 };
