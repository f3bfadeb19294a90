import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '../../http/errors/api-error.js';
import { describeError } from '../../http/errors/error-body.js';
import type { Budget } from './budgets.js';
import type { ApiAnswer } from './loopback.js';
import { countOf } from '../../model/counts.js';

/** Cost of a call. */
export interface ToolCost {
  readonly quota_units: number;
  readonly credits: number;
}

/** Reads the cost from a response's headers; it is 0 if the key was rejected. */
export function costOfAnswer({ headers }: ApiAnswer): ToolCost {
  return { quota_units: Number(headers['x-quota-units'] ?? 0), credits: Number(headers['x-credits'] ?? 0) };
}

/**
 * Creates a tool's result from the API's response, with its cost.
 * @param budget null without a limit on credits
 * @param renameRequests replaces requests in a text with the names of their tools
 */
export function toolResult(
  answer: ApiAnswer,
  budget: Budget | null,
  renameRequests: (text: string) => string,
): CallToolResult {
  const { status, headers, body } = answer;
  const cost = costOfAnswer(answer);
  const about = {
    content: [{ type: 'text' as const, text: costText(cost, headers, budget) }],
    _meta: { cost, request_id: headers['x-request-id'], ...(budget === null ? {} : { session: sessionOf(budget) }) },
  };
  if (body === null) {
    const error = new ApiError('answer_too_large', 'The answer is too large for a tool');
    const result = failed(error, `${error.message}. ${error.hint}`);
    return { ...about, ...result, content: [...result.content, ...about.content] };
  }
  const envelope = JSON.parse(body) as Record<string, unknown>;
  if (status === 200) {
    return { ...about, content: [{ type: 'text', text: body }, ...about.content], structuredContent: envelope };
  }
  const { message, hint } = errorOf(envelope);
  // The hints of these name headers, which an agent does not see.
  const hints = status === 429 || status >= 500 ? [] : hint.map(renameRequests);
  const text = [`${status}: ${message}.`, ...hints, adviceOn(status, headers['retry-after'])].join(' ');
  return {
    ...about,
    content: [{ type: 'text', text }, ...about.content],
    structuredContent: envelope,
    isError: true,
  };
}

/** Creates the result of a call without an answer. Its error has the members of an error of the API. */
export function failed(error: ApiError, text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { error: describeError(error) }, isError: true };
}

/** Creates the result of a call that was not sent, and so is free. */
export function notSent(error: ApiError, text: string, budget: Budget | null = null): CallToolResult {
  return {
    ...failed(error, text),
    _meta: {
      cost: { quota_units: 0, credits: 0 } satisfies ToolCost,
      ...(budget === null ? {} : { session: sessionOf(budget) }),
    },
  };
}

const sessionOf = ({ maxCredits, spentCredits }: Budget) => ({ max_credits: maxCredits, spent_credits: spentCredits });

function costText(cost: ToolCost, headers: ApiAnswer['headers'], budget: Budget | null): string {
  const remaining = headers['x-ratelimit-minute-remaining'];
  const month = [
    ...leftOf(headers['x-quota-units-remaining'], 'unit'),
    ...leftOf(headers['x-credits-remaining'], 'credit'),
  ];
  return [
    `Cost: ${countOf(cost.quota_units, 'unit')}, ${countOf(cost.credits, 'credit')}.`,
    ...(budget === null
      ? []
      : [`This session: ${budget.spentCredits} of ${countOf(budget.maxCredits, 'credit')} spent.`]),
    ...(month.length === 0 ? [] : [`Left of this month: ${month.join(', ')}.`]),
    ...(remaining === undefined ? [] : [`Left of this minute: ${countOf(Number(remaining), 'request')}.`]),
  ].join(' ');
}

const leftOf = (remaining: string | string[] | undefined, noun: string): readonly string[] =>
  remaining === undefined ? [] : [countOf(Number(remaining), noun)];

/** Reads the message, and the hint if there is one. */
function errorOf(envelope: Record<string, unknown>): { readonly message: string; readonly hint: readonly string[] } {
  const { message, hint } = (envelope.error ?? {}) as { message?: unknown; hint?: unknown };
  return {
    message: typeof message === 'string' ? message : 'The service answered without a message',
    hint: typeof hint === 'string' ? [hint] : [],
  };
}

function adviceOn(status: number, retryAfter: string | undefined): string {
  const wait = `wait ${countOf(Number(retryAfter ?? 1), 'second')}`;
  if (status === 400) return 'Correct the arguments and call again.';
  if (status === 401 || status === 403) return 'The key is no longer valid: connect again with another one.';
  if (status === 402) return 'Nothing was charged. The same call fits again when the next month (UTC) begins.';
  if (status === 404) return 'There is no such data; the same call will find none again.';
  if (status === 429) return `Before the next call ${wait}.`;
  if (status === 503) return `Nothing was charged; ${wait} and call again.`;
  return 'Call again with other arguments, or tell the operator the request ID.';
}
