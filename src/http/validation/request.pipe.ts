import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { ApiRequest } from '../api-request.js';
import { ApiError, fixedError, missingParameter } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-codes.js';

/** Validator name of a required parameter. The code of its error has a message of its own. */
export const REQUIRED = 'required';

/** Context of a validator: what its error has beside the message. */
export interface Rejection {
  /** `invalid_parameter` by default. */
  readonly code?: ErrorCode;
  /** Accepted values, if they are few. */
  readonly allowed?: readonly string[];
}

type RequestClass = ClassConstructor<object>;

const namesByType = new Map<RequestClass, ReadonlySet<string>>();

/** Validates a query or body against its request class, and reports the first problem. */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { metatype, type }: ArgumentMetadata): unknown {
    if (metatype === undefined) return value;
    const request = validate(metatype, isRecord(value) ? value : {}, type === 'body' ? 'body' : 'query');
    // After the validation, because a missing member has an error of its own.
    if (!isRecord(value)) throw new ApiError('invalid_parameter', 'Request body must be a JSON object');
    return request;
  }
}

/** Reads the query of a look-up; null without one. Not a pipe or decorator, because these would slow down every look-up.
 * @throws ApiError 400 */
export function readOptionalQuery<T extends object>(
  type: ClassConstructor<T>,
  { originalUrl, query }: ApiRequest,
  hint?: string,
): T | null {
  return originalUrl.includes('?') ? validate(type, query, 'query', hint) : null;
}

/** @param hint what to do about an unknown parameter */
function validate<T extends object>(
  type: ClassConstructor<T>,
  given: Readonly<Record<string, unknown>>,
  place: 'query' | 'body',
  hint?: string,
): T {
  const names = parameterNames(type);
  rejectUnknownParameters(given, names, hint);
  const request = createRequest(type, given);
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: the others would be found and not answered
  const [problem] = validateSync(request, { stopAtFirstError: true });
  if (problem !== undefined) {
    const [[name, message] = [REQUIRED, '']] = Object.entries(problem.constraints ?? {});
    const rejection = problem.contexts?.[name] as Rejection | undefined;
    if (name === REQUIRED) throw missingParameter(problem.property, place, rejection?.allowed);
    throw toApiError(problem.property, message, rejection);
  }
  return request;
}

/** Creates a request without copying its lists and objects: class-transformer takes 20 µs for each item, and a body may have
 * more than 100,000 before its validation. No request class transforms them. */
function createRequest<T extends object>(type: ClassConstructor<T>, given: Readonly<Record<string, unknown>>): T {
  const nested = Object.entries(given).filter(([, value]) => typeof value === 'object' && value !== null);
  // A copy of each query would make a list slower by a hundredth.
  const flat = nested.length === 0 ? given : omit(given, new Set(nested.map(([name]) => name)));
  return Object.assign(plainToInstance(type, flat, { exposeDefaultValues: true }), Object.fromEntries(nested));
}

const omit = (given: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));

function toApiError(parameter: string, message: string, rejection: Rejection = {}): ApiError {
  const { code = 'invalid_parameter', allowed } = rejection;
  if (code === 'invalid_platform') return fixedError(code, { parameter, allowed });
  return new ApiError(code, message, code === 'conflicting_parameters' ? {} : { parameter, allowed });
}

/** Reads the names from the validators' metadata: every parameter has a validator. */
function parameterNames(type: RequestClass): ReadonlySet<string> {
  let names = namesByType.get(type);
  // Stryker disable next-line ConditionalExpression: only time is saved
  if (names === undefined) {
    // Stryker disable next-line StringLiteral,BooleanLiteral: schemas and groups, of which there are none
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    names = new Set(metadata.map(({ propertyName }) => propertyName));
    namesByType.set(type, names);
  }
  return names;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names by which other services number their pages. */
const isPosition = (name: string): boolean => /^(page|offset|skip|start)$/i.test(name);

const USE_CURSOR = 'Pages are not numbered: pass paging.next_cursor of the page before as cursor.';

/** @throws ApiError 400 with the name of the first unknown parameter */
export function rejectUnknownParameters(
  given: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  hint?: string,
): void {
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    const parameter = name.slice(0, 100);
    throw new ApiError('unknown_parameter', `Unknown parameter: ${parameter}`, {
      parameter,
      allowed: [...known],
      hint: isPosition(name) && known.has('cursor') ? USE_CURSOR : hint,
    });
  }
}

/** @throws ApiError 400 with the name of the first repeated parameter */
export function rejectRepeatedParameters(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value)) continue;
    const parameter = name.slice(0, 100);
    throw new ApiError('repeated_parameter', `Parameter given more than once: ${parameter}`, { parameter });
  }
}
