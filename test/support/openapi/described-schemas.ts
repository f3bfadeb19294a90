import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';

/** Schemas of a description, with the additional rule that unknown members are errors. */
export class DescribedSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    addFormats.default(this.#ajv);
    // The format describes data that operators load, which is returned unchanged.
    this.#ajv.addFormat('uri', true);
    this.#ajv.addSchema({ ...(closed(document) as object), $id: 'api' });
  }

  /** Validates a value. @param pointer to a schema in the document @returns the errors; empty when valid */
  problems(pointer: string, value: unknown): unknown[] {
    let validate = this.#compiled.get(pointer);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `api${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []);
  }
}

/** Copies a schema with `additionalProperties: false` in every object that lists its members. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const listsMembers = 'properties' in value && 'type' in value && !('additionalProperties' in value);
  return listsMembers ? { ...members, additionalProperties: false } : members;
}
