import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Budget } from './budgets.js';
import type { ApiAnswer } from './loopback.js';
import { counted } from './price-text.js';

/** What a call cost, from the headers of its answer. */
export interface ToolCost {
  readonly quota_units: number;
  readonly credits: number;
}

/** What an answer cost; nothing where its key was refused. */
export function costOfAnswer({ headers }: ApiAnswer): ToolCost {
  return { quota_units: Number(headers['x-quota-units'] ?? 0), credits: Number(headers['x-credits'] ?? 0) };
}

/** Stand for the envelope in a result, as text and as JSON. Nobody outside the process knows them. */
const [TEXT, STRUCTURED] = [randomUUID(), randomUUID()];

/** Puts an envelope into a serialized result of `toolResult`, so that up to 2 MiB are not parsed and serialized again. */
export function insertEnvelope(result: string, envelope: string): string {
  const asText = JSON.stringify(envelope);
  return result.replace(`"${TEXT}"`, () => asText).replace(`{"${STRUCTURED}":true}`, () => envelope);
}

/** Returns an answer of the API as the result of a tool: the envelope, and what it cost. The envelope of a success is left
 * to `insertEnvelope`. @param budget null: no spend guard */
export function toolResult(answer: ApiAnswer, budget: Budget | null): CallToolResult {
  const { status, headers, body } = answer;
  const cost = costOfAnswer(answer);
  const about = {
    content: [{ type: 'text' as const, text: costText(cost, headers['x-ratelimit-minute-remaining'], budget) }],
    _meta: { cost, request_id: headers['x-request-id'], ...(budget === null ? {} : { session: sessionOf(budget) }) },
  };
  if (body === null) {
    const text = 'The answer is too large for a tool. Ask for fewer items, with limit or fewer IDs.';
    return { ...about, content: [{ type: 'text', text }, ...about.content], isError: true };
  }
  if (status === 200) {
    const content = [{ type: 'text' as const, text: TEXT }, ...about.content];
    return { ...about, content, structuredContent: { [STRUCTURED]: true } };
  }
  const envelope = JSON.parse(body) as Record<string, unknown>;
  const text = `${status}: ${messageOf(envelope)}. ${adviceOn(status, headers['retry-after'])}`;
  return {
    ...about,
    content: [{ type: 'text', text }, ...about.content],
    structuredContent: envelope,
    isError: true,
  };
}

/** A call that was not sent, and so cost nothing. */
export function notSent(text: string, budget: Budget | null = null): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: {
      cost: { quota_units: 0, credits: 0 } satisfies ToolCost,
      ...(budget === null ? {} : { session: sessionOf(budget) }),
    },
  };
}

const sessionOf = ({ maxCredits, spentCredits }: Budget) => ({ max_credits: maxCredits, spent_credits: spentCredits });

function costText(cost: ToolCost, remaining: string | string[] | undefined, budget: Budget | null): string {
  return [
    `Cost: ${counted(cost.quota_units, 'unit')}, ${counted(cost.credits, 'credit')}.`,
    ...(budget === null
      ? []
      : [`This session: ${budget.spentCredits} of ${counted(budget.maxCredits, 'credit')} spent.`]),
    ...(remaining === undefined ? [] : [`Left of this minute: ${counted(Number(remaining), 'request')}.`]),
  ].join(' ');
}

function messageOf(envelope: Record<string, unknown>): string {
  const { message } = (envelope.error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : 'The service answered without a message';
}

function adviceOn(status: number, retryAfter: string | undefined): string {
  const wait = `wait ${counted(Number(retryAfter ?? 1), 'second')}`;
  if (status === 400) return 'Correct the arguments and call again.';
  if (status === 401 || status === 403) return 'The key is no longer valid: connect again with another one.';
  if (status === 404) return 'There is no such data; the same call will find none again.';
  if (status === 429) return `Before the next call ${wait}.`;
  if (status === 503) return `Nothing was charged; ${wait} and call again.`;
  return 'Call again with other arguments, or tell the operator the request ID.';
}
