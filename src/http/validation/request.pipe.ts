import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { badRequest, invalidRequest } from '../api-error.js';

/** Validator name and message of a required parameter; the response to it is `invalidRequest`. */
export const REQUIRED = 'required';

type RequestClass = ClassConstructor<object>;

const namesByType = new Map<RequestClass, ReadonlySet<string>>();

/** Validates a query or body against its request class, and reports the first problem. */
@Injectable()
export class RequestPipe implements PipeTransform {
  transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
    return metatype === undefined ? value : validate(metatype, isRecord(value) ? value : {});
  }
}

function validate(type: RequestClass, given: Readonly<Record<string, unknown>>): object {
  rejectUnknownParameters(given, parameterNames(type));
  const request = plainToInstance(type, given, { exposeDefaultValues: true });
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: the others would be found and not answered
  const [problem] = validateSync(request, { stopAtFirstError: true });
  if (problem !== undefined) {
    const message = Object.values(problem.constraints ?? {})[0] ?? REQUIRED;
    throw message === REQUIRED ? invalidRequest() : badRequest(message);
  }
  return request;
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

/** @throws ApiError 400 with the name of the first unknown parameter */
export function rejectUnknownParameters(given: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void {
  for (const name of Object.keys(given)) {
    if (!known.has(name)) throw badRequest(`Unknown parameter: ${name.slice(0, 100)}`);
  }
}

/** @throws ApiError 400 with the name of the first repeated parameter */
export function rejectRepeatedParameters(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) throw badRequest(`Parameter given more than once: ${name.slice(0, 100)}`);
  }
}
