import * as z from 'zod';
import type { Tokens } from './cost.js';
import { parseJson } from './parse-json.js';
import { redactionOf, type Redaction } from './redaction.js';

const count = z.int().min(0);

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

const usageSchema = z.object({
  usage: z.object({
    // Every prompt has tokens. Endpoints that count none would never reach a limit.
    prompt_tokens: z.int().min(1),
    completion_tokens: count,
    total_tokens: count.optional().catch(undefined),
  }),
});

const errorSchema = z.object({
  error: z.union([
    z.string(),
    z.object({ message: z.string().optional(), code: z.unknown().optional(), type: z.unknown().optional() }),
  ]),
});

/** What an endpoint answered. */
export interface ChatReply {
  /** The text of the answer, or why there is none. */
  readonly result: { readonly text: string } | { readonly refusal: string } | { readonly problem: string };
  /** Whether the answer was cut at the limit of output tokens. */
  readonly isCut: boolean;
  /** Null if the endpoint did not say. */
  readonly usage: Tokens | null;
}

/** Reads the body of a successful reply. */
export const parseChatReply = (body: string, redaction?: Redaction): ChatReply =>
  readCompletion(parseJson(body), redaction);

/** Reads a completion, such as the body of a result in a batch. */
export function readCompletion(value: unknown, redaction = NO_KEY): ChatReply {
  const usage = usageSchema.safeParse(value);
  const tokens = usage.success ? tokensOf(usage.data.usage) : null;
  const parsed = completionSchema.safeParse(value);
  const choice = parsed.success ? parsed.data.choices[0] : undefined;
  if (choice === undefined) {
    return { result: { problem: 'the endpoint sent no chat completion' }, isCut: false, usage: tokens };
  }
  const { message, finish_reason: reason } = choice;
  const isCut = reason === 'length';
  const isUncounted = tokens?.output === 0 && (message.content ?? '') !== '';
  if (message.refusal) {
    return { result: { refusal: firstWords(redaction.message(message.refusal)) }, isCut, usage: tokens };
  }
  if (reason === 'content_filter') return { result: { refusal: 'content filter' }, isCut, usage: tokens };
  const text = redaction.content(message.content ?? '');
  return { result: { text }, isCut, usage: isUncounted ? null : tokens };
}

/** Some endpoints count the tokens of reasoning in the total only, and charge them as output. */
function tokensOf({
  prompt_tokens: input,
  completion_tokens,
  total_tokens = 0,
}: z.output<typeof usageSchema>['usage']): Tokens {
  return { input, output: Math.max(completion_tokens, total_tokens - input) };
}

/** Error that an endpoint reports. */
export interface EndpointError {
  readonly message: string;
  /** Code or type, such as `insufficient_quota`. */
  readonly code: string;
}

/** Reads the body of an error. */
export function readError(body: string, redaction = NO_KEY): EndpointError {
  // Shortened at the end, because a part of a key would stay.
  const describe = (text: string) => firstWords(redaction.message(text));
  const value = parseJson(body);
  const parsed = errorSchema.safeParse(value);
  // Another shape is written again, so that no character is escaped that need not be.
  if (!parsed.success) return { message: describe(value === null ? body : JSON.stringify(value)), code: '' };
  const { error } = parsed.data;
  if (typeof error === 'string') return { message: describe(error), code: '' };
  const { message = '', code, type } = error;
  return { message: describe(message), code: [code, type].filter((each) => typeof each === 'string').join(' ') };
}

const NO_KEY = redactionOf(null);

const firstWords = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300).toWellFormed();

/** Parses `Retry-After`. @returns milliseconds; null if there is none */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
