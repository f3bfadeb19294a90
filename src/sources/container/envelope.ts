import type { DocumentContext } from '../fragment.js';
import { parseJson, TooDeepError } from './json-text.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a value of a file holds: documents with their context, nothing that concerns us, or a problem. */
export type Unwrapped =
  | { readonly documents: readonly JsonObject[]; readonly context: DocumentContext }
  | { readonly skipped: string }
  | { readonly problem: string };

export const NO_CONTEXT: DocumentContext = { url: null, request: null, fetchedAt: null, stream: null };

export const NOT_AN_OBJECT = 'not an object';

/** Messages of Singer taps and Airbyte connectors that carry no record. */
const MESSAGES: ReadonlySet<unknown> = new Set([
  'SCHEMA',
  'STATE',
  'ACTIVATE_VERSION',
  'BATCH',
  'LOG',
  'SPEC',
  'CATALOG',
  'CONNECTION_STATUS',
  'TRACE',
  'CONTROL',
]);

/** Takes a document out of what people wrap it in: our envelope, twarc, Singer, Airbyte. */
export function unwrap(value: unknown): Unwrapped {
  if (!isObject(value)) return Array.isArray(value) ? documentsOf(value, NO_CONTEXT) : { problem: NOT_AN_OBJECT };
  if ('body' in value && 'url' in value) return fromEnvelope(value);
  if ('__twarc' in value) return fromTwarc(value);
  if ('_airbyte_data' in value) return fromAirbyteFile(value);
  if (typeof value.type === 'string') {
    if (value.type === 'RECORD') return fromRecord(value);
    if (MESSAGES.has(value.type) && isMessage(value)) return { skipped: 'message without a record' };
  }
  if ('emitted_at' in value && typeof value.stream === 'string' && isObject(value.data)) {
    return fromAirbyteRecord(value);
  }
  return { documents: [value], context: NO_CONTEXT };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Documents of a body: an array of objects is taken item by item. */
function documentsOf(body: unknown, context: DocumentContext): Unwrapped {
  if (isObject(body)) return { documents: [body], context };
  if (!Array.isArray(body)) return { problem: `body ${NOT_AN_OBJECT}` };
  if (body.length === 0) return { skipped: 'empty list' };
  const documents: JsonObject[] = [];
  for (const [index, item] of body.entries()) {
    if (!isObject(item)) return { problem: `[${index}] ${NOT_AN_OBJECT}` };
    documents.push(item);
  }
  return { documents, context };
}

function fromEnvelope({ url: address, request, request_body, fetched_at, body }: JsonObject): Unwrapped {
  const url = addressOf(address);
  if (url === null && address !== null) return { problem: 'url must be the absolute address of the request' };
  const fetchedAt = instantOf(fetched_at);
  if (fetchedAt === undefined) {
    return { problem: 'fetched_at must be a date-time such as 2026-01-31T09:30:00Z' };
  }
  const context = { url, request: request ?? request_body ?? null, fetchedAt, stream: null };
  if (typeof body !== 'string') return documentsOf(body, context);
  try {
    return documentsOf(parseJson(body), context);
  } catch (error) {
    if (error instanceof TooDeepError) return { problem: `body is ${error.message}` };
    return { problem: /^\s*</.test(body) ? 'body is an HTML page, not JSON' : 'body is not JSON' };
  }
}

/** A page of an X response with what twarc knows of its request. */
function fromTwarc({ __twarc: twarc, ...body }: JsonObject): Unwrapped {
  const { url, retrieved_at } = isObject(twarc) ? twarc : {};
  const fetchedAt = instantOf(retrieved_at);
  if (fetchedAt === undefined) return { problem: '__twarc.retrieved_at must be a date-time' };
  const context = { ...NO_CONTEXT, url: addressOf(url), fetchedAt };
  return { documents: [body], context };
}

/** A record of a Singer tap, or the message around one of an Airbyte connector. */
function fromRecord(message: JsonObject): Unwrapped {
  const { stream, record, time_extracted } = message;
  if (!isObject(record)) return { problem: `record ${NOT_AN_OBJECT}` };
  if (typeof stream !== 'string') return fromAirbyteRecord(record);
  const fetchedAt = instantOf(time_extracted);
  if (fetchedAt === undefined) return { problem: 'time_extracted must be a date-time' };
  return { documents: [record], context: { ...NO_CONTEXT, fetchedAt, stream } };
}

function fromAirbyteRecord({ stream, data, emitted_at }: JsonObject): Unwrapped {
  if (!isObject(data)) return { problem: `record.data ${NOT_AN_OBJECT}` };
  const fetchedAt = instantOf(emitted_at);
  if (fetchedAt === undefined) return { problem: 'emitted_at must be milliseconds since 1970 or a date-time' };
  return {
    documents: [data],
    context: { ...NO_CONTEXT, fetchedAt, stream: typeof stream === 'string' ? stream : null },
  };
}

/** A line of a file that an Airbyte destination wrote. */
function fromAirbyteFile(line: JsonObject): Unwrapped {
  const fetchedAt = instantOf(line._airbyte_extracted_at ?? line._airbyte_emitted_at);
  if (fetchedAt === undefined) return { problem: '_airbyte_extracted_at must be a date-time' };
  let data = line._airbyte_data;
  try {
    if (typeof data === 'string') data = parseJson(data);
  } catch (error) {
    return { problem: `_airbyte_data is ${error instanceof TooDeepError ? error.message : 'not JSON'}` };
  }
  return isObject(data)
    ? { documents: [data], context: { ...NO_CONTEXT, fetchedAt } }
    : { problem: `_airbyte_data ${NOT_AN_OBJECT}` };
}

const addressOf = (value: unknown): URL | null =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;

/** A record of a platform may have a member `type`, too. */
const isMessage = (value: JsonObject): boolean => !('id' in value);

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** An instant as tools write it, a number in milliseconds; null for none, undefined for what is none. */
function instantOf(value: unknown): Date | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' && (typeof value !== 'string' || !INSTANT.test(value))) return undefined;
  const instant = new Date(value);
  const year = instant.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? instant : undefined;
}
