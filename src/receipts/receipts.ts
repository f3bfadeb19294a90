import type { RequestContext } from '../model/request-context.js';

/** What an answer costs its caller. */
export interface Cost {
  readonly quotaUnits: number;
  readonly credits: number;
}

export const NO_COST: Cost = { quotaUnits: 0, credits: 0 };

/** Sends an answer whose record is settled. */
export type AnswerRecorded = (durable: boolean) => void;

/** Writes down what was answered; every answer passes here once, before it is sent. */
export interface Receipts {
  /** A request with a valid key is under way: its record is to come. */
  expect(): void;
  /** Its caller has yet to send the rest, and may never do so: no record need wait for its own until it is expected again. */
  expectLater(): void;
  /** The cost of answering with this status and this many items. */
  costOf(context: RequestContext, status: number, itemsReturned: number): Cost;
  /**
   * Records a request and then has it answered: with `true` once the record is durable, at once where no valid key asks
   * for that; with `false` if it could not be made durable, so that the answer has to be 503.
   */
  record(context: RequestContext, status: number, cost: Cost, itemsReturned: number, answer: AnswerRecorded): void;
}

/** Injection token of the `Receipts`. */
export const RECEIPTS = Symbol('receipts');
