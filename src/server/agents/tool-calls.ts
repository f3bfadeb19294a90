import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import { ApiError, fixedError } from '../../http/errors/api-error.js';
import type { Budget, Budgets, CreditReservation } from './budgets.js';
import { QueueFullError } from '../../http/traffic/fair-queue.js';
import type { ApiAnswer, CallHeaders, Loopback } from './loopback.js';
import { countOf } from '../../model/counts.js';
import { costOfAnswer, failed, notSent, toolResult } from './tool-answer.js';
import { computeMaxCredits, createToolRequest, type ToolArguments, type ToolRequest } from './tool-request.js';
import type { OperationTool } from './tools.js';

/** State of a message to `/mcp`. */
export interface McpMessage extends CallHeaders {
  readonly keyId: string;
  /** Session with a limit; null without a limit. */
  sessionId: string | null;
  /** Whether the message was sent as a request of the API. */
  isForwarded: boolean;
}

/** Sends tool calls as requests, and enforces the credits of sessions. */
export class ToolCalls {
  constructor(
    private readonly loopback: Loopback,
    private readonly budgets: () => Promise<Budgets>,
    private readonly logger: Logger,
    /** Replaces requests in a text with the names of their tools. */
    private readonly renameRequests: (text: string) => string,
  ) {}

  async call({ operation }: OperationTool, given: ToolArguments, message: McpMessage): Promise<CallToolResult> {
    let request: ToolRequest;
    try {
      request = createToolRequest(operation, given);
    } catch (error) {
      if (error instanceof ApiError) return notSent(error, `${error.message}. Nothing was sent.`);
      throw error;
    }
    if (message.sessionId === null) return this.#send(request, message, null);

    const maxCost = computeMaxCredits(operation, given);
    let reserved: CreditReservation | null;
    try {
      reserved = await (await this.budgets()).reserve(message.keyId, message.sessionId, maxCost);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not check the credits of a session');
      return notSent(
        fixedError('service_unavailable'),
        "The session's credits cannot be checked at the moment, so nothing was sent. Call again in some seconds.",
      );
    }
    if (reserved === null) return notSent(SESSION_ENDED, 'This session has ended. Nothing was sent: connect again.');
    if (!reserved.isGranted) return notSent(CREDITS_EXCEEDED, describeRejection(maxCost, reserved), reserved);
    return this.#send(request, message, { ...reserved, maxCost });
  }

  async #send(
    request: ToolRequest,
    message: McpMessage,
    reserved: (Budget & { readonly maxCost: number }) | null,
  ): Promise<CallToolResult> {
    let answer: ApiAnswer;
    try {
      message.isForwarded = true;
      answer = await this.loopback.send(request, message);
    } catch (error) {
      if (error instanceof QueueFullError) {
        message.isForwarded = false;
        const left = await this.#refundUnspent(message, reserved, 0);
        return notSent(fixedError('overloaded'), TOO_MANY_CALLS, left);
      }
      // The call may have been charged, so its credits stay reserved.
      this.logger.warn({ err: error }, 'a tool call got no answer');
      return failed(new ApiError('no_answer', 'The service did not answer'), NO_ANSWER);
    }
    const left = await this.#refundUnspent(message, reserved, costOfAnswer(answer).credits);
    return toolResult(answer, left, this.renameRequests);
  }

  /** Refunds reserved credits that were not spent. */
  async #refundUnspent(
    { keyId, sessionId }: McpMessage,
    reserved: (Budget & { readonly maxCost: number }) | null,
    credits: number,
  ): Promise<Budget | null> {
    if (reserved === null || sessionId === null) return null;
    if (credits === reserved.maxCost) return reserved;
    try {
      return (await (await this.budgets()).refund(keyId, sessionId, reserved.maxCost - credits)) ?? reserved;
    } catch (error) {
      this.logger.warn({ err: error }, 'could not refund the unspent credits of a session');
      return reserved;
    }
  }
}

const SESSION_ENDED = new ApiError('session_not_found', 'This session has ended');

const CREDITS_EXCEEDED = new ApiError('session_credits_exceeded', "Rejected by the session's credit limit");

const TOO_MANY_CALLS = 'Too many calls at the same time, so this one was not sent. Call again in some seconds.';

const NO_ANSWER =
  'The service did not answer. The call may have been charged; usage_get tells what was. Call again in some seconds.';

function describeRejection(maxCost: number, { maxCredits, spentCredits }: Budget): string {
  return (
    `Rejected by the session's credit limit; nothing was sent. This call can cost ${countOf(maxCost, 'credit')}. Of max_credits ` +
    `${maxCredits}, ${spentCredits} are spent or reserved by calls in flight. ` +
    `${countOf(Math.max(0, maxCredits - spentCredits), 'credit')} left. If other calls are in flight, call again when they are ` +
    'answered. Otherwise ask for fewer items, or have the person who set the limit raise it and connect again.'
  );
}
