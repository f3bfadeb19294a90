import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import {
  dateTime,
  id,
  integer,
  list,
  nullable,
  number,
  oneOf,
  shape,
  text,
  textUpToBytes,
} from '../../model/scalars.js';
import { MAX_MODEL_BYTES } from './enrichment.entities.js';

/** Quote of the input that states a member of the analysis. */
export const evidenceSchema = shape({
  member: text.describe('Member of the analysis that the quote states'),
  quote: text.describe('Words of the input, unchanged'),
});

export type Evidence = z.output<typeof evidenceSchema>;

/** Schema of a line of kind `provenance`: how a model made the analysis of a creator. */
export const provenanceLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  model: textUpToBytes(MAX_MODEL_BYTES).describe('Name of the model'),
  host: text.describe("Host of the model's endpoint"),
  prompt_version: text.describe('Name and checksum of the prompt'),
  input_hash: text.describe('SHA-256 of model, prompt, schema and input'),
  input_tokens: integer.describe('Input tokens of all calls'),
  output_tokens: integer.describe('Output tokens of all calls'),
  cost: nullable(number).describe('Cost of all calls in the currency of the prices; null without prices'),
  made_at: dateTime.describe('When the model answered'),
  evidence: list(evidenceSchema).describe('Quotes that state personal members'),
});

export type ProvenanceLine = z.output<typeof provenanceLineSchema>;
