import { ApiError } from '../../http/errors/api-error.js';
import { LOOK_UPS } from '../../features/changes/feeds.js';
import type { OperationName } from '../../model/operation.js';
import { computeCost, PRICES } from '../../receipts/prices.js';
import type { DescribedOperation, JsonSchema } from './api-description.js';

/** Unvalidated arguments of a tool call. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Request of the API. */
export interface ToolRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, encoded. */
  readonly path: string;
  readonly body: string | null;
}

/**
 * Puts the arguments of a tool call into path, query and body. The API validates their values.
 * @throws ApiError for missing or unknown names, and for values that do not fit a path or query
 */
export function createToolRequest(
  { method, path, parameters, body }: DescribedOperation,
  given: ToolArguments,
): ToolRequest {
  // Models send null for omitted arguments.
  const values = new Map(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const members = Object.keys(body?.properties ?? {});
  rejectUnknownArguments([...values.keys()], [...parameters.map(({ name }) => name), ...members]);
  const needed = [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])];
  const missing = needed.find((name) => !values.has(name));
  if (missing !== undefined) {
    throw new ApiError('missing_parameter', `Missing argument: ${missing}`, { parameter: missing });
  }

  const textOf = (name: string): string => {
    const value = values.get(name);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    throw invalidArgument(name, 'be a text or a number');
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(name);
    // With an empty segment, the path could match another operation.
    if (text === '') throw invalidArgument(name, 'not be empty');
    return encode(name, text);
  });
  const query = parameters
    .filter(({ in: location, name }) => location === 'query' && values.has(name))
    .map(({ name }) => `${encodeURIComponent(name)}=${encode(name, textOf(name))}`)
    .join('&');
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    body: body === null ? null : JSON.stringify(Object.fromEntries(members.map((name) => [name, values.get(name)]))),
  };
}

function rejectUnknownArguments(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const accepted = known.length === 0 ? 'none' : known.join(', ');
  const message = `Unknown argument: ${unknown}. The arguments of this tool: ${accepted}`;
  throw new ApiError('unknown_parameter', message, { parameter: unknown.slice(0, 100), allowed: known });
}

const invalidArgument = (parameter: string, rule: string) =>
  new ApiError('invalid_parameter', `${parameter} must ${rule}`, { parameter });

function encode(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalidArgument(name, 'be well-formed text');
  }
}

/** Computes the maximum credits that a call can cost. An invalid limit counts as the maximum limit. */
export function computeMaxCredits({ operation, parameters, body }: DescribedOperation, given: ToolArguments): number {
  const limit = parameters.find(({ name }) => name === 'limit')?.schema ?? body?.properties.limit;
  const items =
    limit === undefined
      ? maxBatchItems(Object.values(body?.properties ?? {}), given)
      : maxPageItems(limit, given.limit);
  const { records } = PRICES[operation];
  if (records !== undefined) return items * maxRecordCredits(records, given.kind);
  return computeCost(operation, 200, items, items).credits;
}

/** Returns the credits of the dearest record that a page can have. */
function maxRecordCredits(lookUps: readonly OperationName[], kind: unknown): number {
  const known = Object.entries(LOOK_UPS).find(([name]) => name === kind);
  const possible = known === undefined ? lookUps : [known[1]];
  return Math.max(...possible.map((lookUp) => PRICES[lookUp].credits.amount));
}

function maxPageItems({ default: byDefault, minimum, maximum }: JsonSchema, limit: unknown): number {
  if (limit === undefined || limit === null) return Number(byDefault ?? maximum);
  // The API also accepts digits as a string.
  const number = typeof limit === 'string' && /^\d+$/.test(limit) ? Number(limit) : limit;
  const isValid =
    Number.isSafeInteger(number) && Number(number) >= Number(minimum) && Number(number) <= Number(maximum);
  return Number(isValid ? number : maximum);
}

/** Returns the size of the batch, at most its maximum; 1 for operations without a body. */
function maxBatchItems(members: readonly JsonSchema[], given: ToolArguments): number {
  if (members.length === 0) return 1;
  const maximum = Math.max(...members.map(({ maxItems }) => Number(maxItems ?? 1)));
  const sizes = Object.values(given).map((value) => (Array.isArray(value) ? value.length : 0));
  return Math.min(maximum, Math.max(1, ...sizes));
}
