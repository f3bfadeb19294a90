import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ZodType } from 'zod';

/** Maximum members of an object in a message. Each is checked several times. */
const MAX_MEMBERS = 100;

/** Schemas of requests for which the SDK would report wrong params as an internal error. */
const CHECKED_SCHEMAS = new Map<unknown, ZodType>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
]);

/** Finds why a message is invalid: it is not JSON-RPC, or its params do not fit the method. */
export function findProblem(body: unknown): { code: number; message: string; id: string | number | null } | null {
  const { method } = getMembers(body);
  const id = readMessageId(body);
  if (hasManyMembers(body))
    return { code: ErrorCode.InvalidParams, message: `An object has more than ${MAX_MEMBERS} members`, id };
  if (!JSONRPCMessageSchema.safeParse(body).success)
    return { code: ErrorCode.InvalidRequest, message: 'The message is not JSON-RPC 2.0', id };
  const issue = CHECKED_SCHEMAS.get(method)?.safeParse(body).error?.issues[0];
  if (issue === undefined) return null;
  return { code: ErrorCode.InvalidParams, message: `${issue.path.join('.')}: ${issue.message}`, id };
}

/** Reports whether an object at any depth, which is limited, has too many members. */
function hasManyMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (!Array.isArray(value) && members.length > MAX_MEMBERS) || members.some(hasManyMembers);
}

const getMembers = (body: unknown) =>
  (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;

/** Reads the ID of a message; null if it has no valid one. */
export function readMessageId(body: unknown): string | number | null {
  const { id } = getMembers(body);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
