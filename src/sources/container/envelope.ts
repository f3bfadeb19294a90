import type { DocumentContext } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { parseJson, TooDeepError } from './json-text.js';

/** The documents in a value with their context, a reason to skip the value, or a problem with it. */
export type Unwrapped =
  | { readonly documents: readonly JsonObject[]; readonly context: DocumentContext }
  | { readonly skipped: string }
  | { readonly problem: string };

export const EMPTY_CONTEXT: DocumentContext = { url: null, request: null, fetchedAt: null, stream: null };

export const NOT_AN_OBJECT = 'must be an object';

/** Types of Singer and Airbyte messages that contain no record. */
const RECORDLESS_MESSAGES: ReadonlySet<unknown> = new Set([
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

/** Extracts the documents from an envelope: this service's own, or one of twarc, Singer or Airbyte. */
export function unwrap(value: unknown): Unwrapped {
  if (!isObject(value))
    return Array.isArray(value) ? toDocuments(value, EMPTY_CONTEXT) : { problem: `the value ${NOT_AN_OBJECT}` };
  if ('body' in value && 'url' in value) return fromEnvelope(value);
  if ('__twarc' in value) return fromTwarc(value);
  if ('_airbyte_data' in value) return fromAirbyteFile(value);
  if (typeof value.type === 'string') {
    if (value.type === 'RECORD') return fromRecord(value);
    if (RECORDLESS_MESSAGES.has(value.type) && isMessage(value)) return { skipped: 'message without a record' };
  }
  if ('emitted_at' in value && typeof value.stream === 'string' && isObject(value.data)) {
    return fromAirbyteRecord(value);
  }
  return { documents: [value], context: EMPTY_CONTEXT };
}

/** Converts a body to documents: an object is one document, an array is one document per item. */
function toDocuments(body: unknown, context: DocumentContext): Unwrapped {
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

function fromEnvelope({ url: urlText, request, request_body, fetched_at, body }: JsonObject): Unwrapped {
  const url = parseUrl(urlText);
  if (url === null && urlText !== null) return { problem: 'url must be the absolute URL of the request' };
  const fetchedAt = parseInstant(fetched_at);
  if (fetchedAt === undefined) {
    return { problem: 'fetched_at must be a date-time such as 2026-01-31T09:30:00Z' };
  }
  const context = { url, request: request ?? request_body ?? null, fetchedAt, stream: null };
  if (typeof body !== 'string') return toDocuments(body, context);
  try {
    return toDocuments(parseJson(body), context);
  } catch (error) {
    if (error instanceof TooDeepError) return { problem: `body is ${error.message}` };
    return { problem: /^\s*</.test(body) ? 'body is an HTML page, not JSON' : 'body is not JSON' };
  }
}

/** Unwraps a response page of X to which twarc added the request's URL and time. */
function fromTwarc({ __twarc: twarc, ...body }: JsonObject): Unwrapped {
  const { url, retrieved_at } = isObject(twarc) ? twarc : {};
  const fetchedAt = parseInstant(retrieved_at);
  if (fetchedAt === undefined) return { problem: '__twarc.retrieved_at must be a date-time' };
  const context = { ...EMPTY_CONTEXT, url: parseUrl(url), fetchedAt };
  return { documents: [body], context };
}

/** Unwraps a record of a Singer tap, or a message of an Airbyte connector. */
function fromRecord(message: JsonObject): Unwrapped {
  const { stream, record, time_extracted } = message;
  if (!isObject(record)) return { problem: `record ${NOT_AN_OBJECT}` };
  if (typeof stream !== 'string') return fromAirbyteRecord(record);
  const fetchedAt = parseInstant(time_extracted);
  if (fetchedAt === undefined) return { problem: 'time_extracted must be a date-time' };
  return { documents: [record], context: { ...EMPTY_CONTEXT, fetchedAt, stream } };
}

function fromAirbyteRecord({ stream, data, emitted_at }: JsonObject): Unwrapped {
  if (!isObject(data)) return { problem: `record.data ${NOT_AN_OBJECT}` };
  const fetchedAt = parseInstant(emitted_at);
  if (fetchedAt === undefined) return { problem: 'emitted_at must be milliseconds since 1970 or a date-time' };
  return {
    documents: [data],
    context: { ...EMPTY_CONTEXT, fetchedAt, stream: typeof stream === 'string' ? stream : null },
  };
}

/** Unwraps a line that an Airbyte destination wrote. */
function fromAirbyteFile(line: JsonObject): Unwrapped {
  const fetchedAt = parseInstant(line._airbyte_extracted_at ?? line._airbyte_emitted_at);
  if (fetchedAt === undefined) return { problem: '_airbyte_extracted_at must be a date-time' };
  let data = line._airbyte_data;
  try {
    if (typeof data === 'string') data = parseJson(data);
  } catch (error) {
    return { problem: `_airbyte_data is ${error instanceof TooDeepError ? error.message : 'not JSON'}` };
  }
  return isObject(data)
    ? { documents: [data], context: { ...EMPTY_CONTEXT, fetchedAt } }
    : { problem: `_airbyte_data ${NOT_AN_OBJECT}` };
}

const parseUrl = (value: unknown): URL | null =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;

/** Distinguishes a message from a platform's record, which may have a member `type` too but also has an ID. */
const isMessage = (value: JsonObject): boolean => !('id' in value);

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Parses a date-time or milliseconds since 1970; null if the value is absent, undefined if it is invalid. */
function parseInstant(value: unknown): Date | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' && (typeof value !== 'string' || !INSTANT.test(value))) return undefined;
  const instant = new Date(value);
  const year = instant.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? instant : undefined;
}
