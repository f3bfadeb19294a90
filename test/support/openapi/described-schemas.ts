import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The schemas of a description, held more strictly than it says: here a member that it does not know is a fault. */
export class DescribedSchemas {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenAPIObject) {
    addFormats.default(this.#ajv);
    // Said of what operators load, which is returned as it is.
    this.#ajv.addFormat('uri', true);
    this.#ajv.addSchema({ ...(closed(document) as object), $id: 'api' });
  }

  /** @param pointer to a schema inside the document @returns what is wrong with a value, nothing if it is as described */
  problems(pointer: string, value: unknown): unknown[] {
    let validate = this.#compiled.get(pointer);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `api${pointer}` });
      this.#compiled.set(pointer, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []);
  }
}

/** With `additionalProperties: false` at every object that lists its members. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const listsMembers = 'properties' in value && 'type' in value && !('additionalProperties' in value);
  return listsMembers ? { ...members, additionalProperties: false } : members;
}
