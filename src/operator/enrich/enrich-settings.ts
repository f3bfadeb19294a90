import * as z from 'zod';
import { MAX_MODEL_BYTES } from '../../features/analysis/enrichment.entities.js';
import { ConfigError } from '../../model/config.js';
import { trimEnd } from '../../model/trim-end.js';
import { parseScaledInteger, type Prices } from './cost.js';

/** Settings of `enrich analysis`, read from the environment. */
export interface EnrichSettings {
  /** Address without a slash at its end, to which `/chat/completions` is added. */
  readonly baseUrl: string;
  /** Host and port, which provenance names. */
  readonly host: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Null without prices. */
  readonly prices: Prices | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PRICE = 'the price of a million tokens, such as 0.15, with at most 6 decimals';

/** What each variable accepts, for error messages. */
const EXPECTED: Readonly<Record<string, string>> = {
  ENRICH_BASE_URL:
    'the http or https address of an endpoint without /chat/completions, user and password, such as http://localhost:8080/v1',
  ENRICH_API_KEY: 'a key without spaces and line breaks',
  ENRICH_MODEL: `the name of a model, at most ${MAX_MODEL_BYTES} bytes`,
  ENRICH_INPUT_PRICE: PRICE,
  ENRICH_OUTPUT_PRICE: `${PRICE}; both prices are needed, or none`,
};

const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
};

const price = z
  .string()
  .transform((text) => parseScaledInteger(text, 6))
  .pipe(z.number())
  .optional();

const variables = z
  .object({
    ENRICH_BASE_URL: z.string().refine(isBaseUrl),
    ENRICH_API_KEY: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    ENRICH_MODEL: z.string().refine((text) => Buffer.byteLength(text) <= MAX_MODEL_BYTES),
    ENRICH_INPUT_PRICE: price,
    ENRICH_OUTPUT_PRICE: price,
  })
  .refine((all) => (all.ENRICH_INPUT_PRICE === undefined) === (all.ENRICH_OUTPUT_PRICE === undefined), {
    path: ['ENRICH_OUTPUT_PRICE'],
  });

/** Reports whether any of the settings is there. */
export const hasEnrichSettings = (environment: Environment): boolean =>
  Object.keys(EXPECTED).some((name) => (environment[name] ?? '') !== '');

/** Reads the settings; an empty variable counts as unset.
 * @throws ConfigError that omits the invalid value, because it may contain a key */
export function readEnrichSettings(environment: Environment): EnrichSettings {
  const nonEmpty = Object.fromEntries(Object.keys(EXPECTED).map((name) => [name, environment[name] || undefined]));
  const parsed = variables.safeParse(nonEmpty);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]);
    throw new ConfigError(`${name} ${nonEmpty[name] === undefined ? 'is not set: it ' : ''}must be ${EXPECTED[name]}`);
  }
  const { ENRICH_BASE_URL: url, ENRICH_INPUT_PRICE: input, ENRICH_OUTPUT_PRICE: output, ...others } = parsed.data;
  return {
    baseUrl: trimEnd(url, '/'),
    host: new URL(url).host,
    apiKey: others.ENRICH_API_KEY ?? null,
    model: others.ENRICH_MODEL,
    prices: input === undefined || output === undefined ? null : { input, output },
  };
}
