import { ANSWER_JSON_SCHEMA } from './answer-schema.js';
import type { Tokens } from './cost.js';
import type { Message } from './prompt.js';

/** How an endpoint is asked for JSON, best first. `none`: by the instructions only. */
export const ANSWER_FORMATS = ['json_schema', 'json_object', 'none'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Names of the limit of output tokens: reasoning models of some vendors reject the first one. */
export const LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const;

export type LimitName = (typeof LIMIT_NAMES)[number];

/** What requests to an endpoint have in common. */
export interface Dialogue {
  readonly model: string;
  readonly format: AnswerFormat;
  readonly limitName: LimitName;
  /** Output tokens that the endpoint may produce at most. */
  readonly maxOutput: number;
}

/** Creates the body of a request. It has no tools: nothing in a creator's text can make the model act. */
export function createBody({ model, format, limitName, maxOutput }: Dialogue, messages: readonly Message[]): object {
  return {
    model,
    messages,
    [limitName]: maxOutput,
    ...(format === 'none' ? {} : { response_format: responseFormat(format) }),
  };
}

const responseFormat = (format: Exclude<AnswerFormat, 'none'>): object =>
  format === 'json_object'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { name: 'creator_analysis', strict: true, schema: ANSWER_JSON_SCHEMA } };

/** Returns the most tokens that a request can be charged for: no tokenizer makes more than one of a byte. The names and brackets of
 * the body are more bytes than the tokens that a chat template adds. */
export const boundOf = (body: string, maxOutput: number): Tokens => ({
  input: Buffer.byteLength(body),
  output: maxOutput,
});
