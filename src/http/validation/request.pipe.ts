import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { badRequest, invalidRequest } from '../api-error.js';

/** Marks a parameter without which the request makes no sense; `message` of the validator's own decorators. */
export const REQUIRED = 'required';

type RequestClass = ClassConstructor<object>;

const namesByType = new Map<RequestClass, ReadonlySet<string>>();

/** Validates a query or a body against its request class; the first problem is the error. */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    return metatype === undefined ? value : validated(metatype, isRecord(value) ? value : {});
  }
}

/** @throws ApiError 400 saying what is wrong */
function validated(type: RequestClass, given: Readonly<Record<string, unknown>>): object {
  refuseUnknown(given, parameterNames(type));
  const request = plainToInstance(type, withoutNesting(given), { exposeDefaultValues: true });
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: the others would be found and not answered
  const [problem] = validateSync(request, { stopAtFirstError: true });
  if (problem !== undefined) {
    const message = Object.values(problem.constraints ?? {})[0] ?? REQUIRED;
    throw message === REQUIRED ? invalidRequest() : badRequest(message);
  }
  return request;
}

/** Every parameter of a request class has at least one validator, so the validators' metadata name them all. */
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

/** Replaces nested objects by {}: none is valid, and class-transformer recurses into them until the stack overflows. */
function withoutNesting(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat = (value: unknown): unknown => (typeof value === 'object' && value !== null ? {} : value);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.map(flat) : flat(value)]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws ApiError 400 naming the first parameter that the endpoint does not know */
export function refuseUnknown(given: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
  for (const name of Object.keys(given)) {
    if (!known.has(name)) throw badRequest(`Unknown parameter: ${name.slice(0, 100)}`);
  }
}

/** @throws ApiError 400 naming the first query parameter that is given more than once */
export function refuseRepeated(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw badRequest(`Parameter given more than once: ${name.slice(0, 100)}`);
  }
}
