import { createHash } from 'node:crypto';
import * as z from 'zod';
import { creatorAnalysisSchema } from '../../features/analysis/creator-analysis.js';
import { list, oneOf, shape, text } from '../../model/scalars.js';

/** Members about a person that a model may only fill in if the input states them. Their quotes are stored as evidence. */
export const STATED_MEMBERS = [
  'gender',
  'age_range',
  'real_first_name',
  'real_last_name',
  'birthday',
  'residence',
  'nationality',
  'height_in_inches',
  'family.has_children',
  'family.relationship_status',
  'family.notable_family_members',
  'appearance.shows_face',
  'appearance.is_vtuber',
  'appearance.is_ai_generated_influencer',
  'appearance.notable_physical_characteristics',
  'background.education',
] as const;

export type StatedMember = (typeof STATED_MEMBERS)[number];

/** Schema of a model's answer: the analysis as the API returns it, and the quotes that state its personal members. */
export const answerSchema = shape({
  ...creatorAnalysisSchema.shape,
  evidence: list(
    shape({
      member: oneOf(STATED_MEMBERS).describe('Member that the quote states'),
      quote: text.describe('Words of the input, copied without any change'),
    }),
  ).describe('A quote of the input for each personal member that is not null or unknown'),
});

export type ModelAnswer = z.output<typeof answerSchema>;

type Json = Readonly<Record<string, unknown>>;

/** Keywords that every endpoint with structured output accepts. Others, such as `format` or `minimum`, are an error on some. */
const KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'anyOf',
  'description',
]);

/** JSON schema of an answer in the common strict subset: all members required, none added, null as a type. */
export const ANSWER_JSON_SCHEMA = toStrictSchema(z.toJSONSchema(answerSchema, { io: 'output' }) as Json);

/** Identifies the schema in the hash of an input. */
export const SCHEMA_HASH = createHash('sha256').update(JSON.stringify(ANSWER_JSON_SCHEMA)).digest('hex');

/** Reduces a JSON schema to the strict subset. */
export function toStrictSchema(schema: Json): Json {
  const strict: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.has(keyword)) continue;
    if (keyword === 'properties') strict.properties = mapValues(value as Readonly<Record<string, Json>>);
    else if (keyword === 'items') strict.items = toStrictSchema(value as Json);
    else if (keyword === 'anyOf') Object.assign(strict, joinNull((value as readonly Json[]).map(toStrictSchema)));
    else strict[keyword] = value;
  }
  if (strict.properties !== undefined) {
    strict.required = Object.keys(strict.properties as object);
    strict.additionalProperties = false;
  }
  return strict;
}

function mapValues(schemas: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toStrictSchema(schema)]));
}

/** Writes a nullable scalar as a list of types, which more endpoints accept than `anyOf`. */
function joinNull(options: readonly Json[]): Json {
  const [option, other] = options;
  const isNullable = options.length === 2 && other?.type === 'null';
  if (!isNullable || typeof option?.type !== 'string' || option.type === 'object') return { anyOf: options };
  return { ...option, type: [option.type, 'null'] };
}
