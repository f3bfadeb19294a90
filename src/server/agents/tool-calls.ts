import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from 'pino';
import type { Budget, Budgets, Reservation } from './budgets.js';
import { QueueFullError } from './fair-queue.js';
import type { ApiAnswer, Loopback } from './loopback.js';
import { counted } from './price-text.js';
import { costOfAnswer, notSent, toolResult } from './tool-answer.js';
import { ArgumentError, mostCredits, toolRequest, type ToolArguments, type ToolRequest } from './tool-request.js';
import type { OperationTool } from './tools.js';

/** A message to `/mcp` and who sent it. */
export interface McpMessage {
  /** Sent along with the request that a tool call becomes. */
  readonly key: string;
  readonly keyId: string;
  /** The session whose credits are limited; null for one without a limit. */
  sessionId: string | null;
  /** Set once the message became a request. */
  isForwarded: boolean;
  /** The envelope of a successful call, to be inserted into the serialized result. */
  envelope: string | null;
}

/** Makes a request of each tool call, and keeps sessions within their credits. */
export class ToolCalls {
  constructor(
    private readonly loopback: Loopback,
    private readonly budgets: () => Promise<Budgets>,
    private readonly logger: Logger,
  ) {}

  async call({ operation }: OperationTool, given: ToolArguments, message: McpMessage): Promise<CallToolResult> {
    let request: ToolRequest;
    try {
      request = toolRequest(operation, given);
    } catch (error) {
      if (error instanceof ArgumentError) return notSent(`${error.message}. Nothing was sent.`);
      throw error;
    }
    if (message.sessionId === null) return this.#send(request, message, null);

    const most = mostCredits(operation, given);
    let reserved: Reservation | null;
    try {
      reserved = await (await this.budgets()).reserve(message.keyId, message.sessionId, most);
    } catch (error) {
      this.logger.warn({ err: error }, 'the credits of a session cannot be checked');
      return notSent(
        'The spend guard cannot be checked at the moment, so nothing was sent. Call again in some seconds.',
      );
    }
    if (reserved === null) return notSent('This session has ended. Nothing was sent: connect again.');
    if (!reserved.isGranted) return notSent(refusal(most, reserved), reserved);
    return this.#send(request, message, { ...reserved, most });
  }

  async #send(
    request: ToolRequest,
    message: McpMessage,
    reserved: (Budget & { readonly most: number }) | null,
  ): Promise<CallToolResult> {
    let answer: ApiAnswer;
    try {
      message.isForwarded = true;
      answer = await this.loopback.send(request, message.key);
    } catch (error) {
      if (error instanceof QueueFullError) {
        message.isForwarded = false;
        const left = await this.#settled(message, reserved, 0);
        return notSent('Too many calls at the same time, so this one was not sent. Call again in some seconds.', left);
      }
      // It may have been charged: what was set aside stays so.
      this.logger.warn({ err: error }, 'a tool call got no answer');
      return { content: [{ type: 'text', text: NO_ANSWER }], isError: true };
    }
    if (answer.status === 200) message.envelope = answer.body;
    return toolResult(answer, await this.#settled(message, reserved, costOfAnswer(answer).credits));
  }

  /** Refunds what was set aside and not spent. */
  async #settled(
    { keyId, sessionId }: McpMessage,
    reserved: (Budget & { readonly most: number }) | null,
    credits: number,
  ): Promise<Budget | null> {
    if (reserved === null || sessionId === null) return null;
    if (credits === reserved.most) return reserved;
    try {
      return (await (await this.budgets()).refund(keyId, sessionId, reserved.most - credits)) ?? reserved;
    } catch (error) {
      this.logger.warn({ err: error }, 'credits that a session did not spend stay set aside');
      return reserved;
    }
  }
}

const NO_ANSWER =
  'The service did not answer. The call may have been charged; usage_get tells what was. Call again in some seconds.';

function refusal(most: number, { maxCredits, spentCredits }: Budget): string {
  return (
    `Refused by the spend guard, nothing was sent: this call can cost ${counted(most, 'credit')}, and of the session's ` +
    `max_credits ${maxCredits}, ${spentCredits} are spent or set aside for calls under way. ` +
    `${counted(Math.max(0, maxCredits - spentCredits), 'credit')} left. If other calls are under way, call again when they are ` +
    'answered. Otherwise ask for fewer items, or have the person who set the limit raise it and connect again.'
  );
}
