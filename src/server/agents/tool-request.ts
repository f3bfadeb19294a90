import { computeCost } from '../../receipts/prices.js';
import type { DescribedOperation, JsonSchema } from './api-description.js';

/** Arguments of a tool call as the client sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A request of the API, ready to be sent. */
export interface ToolRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query, encoded. */
  readonly path: string;
  readonly body: string | null;
}

/** Arguments of which no request can be made; the message is for the caller. */
export class ArgumentError extends Error {}

/**
 * Where each argument goes. Values are left to the API, which checks them as it does for everybody.
 * @throws ArgumentError for names that are missing or unknown, and for what no path or query can hold
 */
export function toolRequest({ method, path, parameters, body }: DescribedOperation, given: ToolArguments): ToolRequest {
  // Models send null for what they leave out.
  const values = new Map(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const members = Object.keys(body?.properties ?? {});
  refuseUnknown([...values.keys()], [...parameters.map(({ name }) => name), ...members]);
  const needed = [...parameters.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])];
  for (const name of needed) if (!values.has(name)) throw new ArgumentError(`Missing argument: ${name}`);

  const textOf = (name: string): string => {
    const value = values.get(name);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
    throw new ArgumentError(`${name} must be a text or a number`);
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(name);
    // Without it, the path would be another operation's.
    if (text === '') throw new ArgumentError(`${name} must not be empty`);
    return encoded(name, text);
  });
  const query = parameters
    .filter(({ in: place, name }) => place === 'query' && values.has(name))
    .map(({ name }) => `${encodeURIComponent(name)}=${encoded(name, textOf(name))}`)
    .join('&');
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    body: body === null ? null : JSON.stringify(Object.fromEntries(members.map((name) => [name, values.get(name)]))),
  };
}

function refuseUnknown(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const takes = known.length === 0 ? 'none' : known.join(', ');
  throw new ArgumentError(`Unknown argument: ${unknown}. The arguments of this tool: ${takes}`);
}

function encoded(name: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new ArgumentError(`${name} must be well-formed text`);
  }
}

/** The most credits that a call can cost. What is not understood counts as the most that is allowed. */
export function mostCredits({ operation, parameters, body }: DescribedOperation, given: ToolArguments): number {
  const limit = parameters.find(({ name }) => name === 'limit');
  const items =
    limit === undefined ? batchSize(Object.values(body?.properties ?? {}), given) : pageSize(limit.schema, given.limit);
  return computeCost(operation, 200, items, items).credits;
}

function pageSize({ default: byDefault, minimum, maximum }: JsonSchema, limit: unknown): number {
  if (limit === undefined || limit === null) return Number(byDefault ?? maximum);
  // The API takes a text of digits, too.
  const number = typeof limit === 'string' && /^\d+$/.test(limit) ? Number(limit) : limit;
  const isRight =
    Number.isSafeInteger(number) && Number(number) >= Number(minimum) && Number(number) <= Number(maximum);
  return Number(isRight ? number : maximum);
}

/** All that is in the body, at most what it may hold; one for what has none. */
function batchSize(members: readonly JsonSchema[], given: ToolArguments): number {
  if (members.length === 0) return 1;
  const most = Math.max(...members.map(({ maxItems }) => Number(maxItems ?? 1)));
  const sizes = Object.values(given).map((value) => (Array.isArray(value) ? value.length : 0));
  return Math.min(most, Math.max(1, ...sizes));
}
