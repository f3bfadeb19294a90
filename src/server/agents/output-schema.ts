import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { AnswerSchema, JsonSchema } from './api-description.js';

type OutputSchema = NonNullable<Tool['outputSchema']>;

const COMPONENTS = '#/components/schemas/';

/** Keywords that bound values. Clients must not reject an answer for data that operators load, such as an odd URL. */
const BOUNDS = new Set(['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'example', 'examples']);

/** Keywords that a tool leaves out if another tool has them. */
const DETAILS = new Set(['description', 'enum', 'required']);

/** Members of an error that every rejected call has, sent to the API or not. */
const ERROR: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
  required: ['code', 'message'],
};

/**
 * Creates the output schemas of tools. An error must match as well, because clients validate it, too. Each component is
 * complete in the first tool that returns it; the others have its structure only, so that the list of tools stays short.
 */
export class OutputSchemas {
  readonly #complete = new Set<string>();

  constructor(private readonly components: Readonly<Record<string, JsonSchema>>) {}

  create({ required, properties }: AnswerSchema): OutputSchema {
    const { payload = {}, ...others } = properties;
    const names = [...this.#componentsOf(payload, new Set())];
    const definitions = names.map((name) => [name, shorten(this.#component(name), !this.#complete.has(name))]);
    for (const name of names) this.#complete.add(name);
    return {
      type: 'object',
      properties: { ...(shorten({ payload, ...others }, false, true) as object), error: ERROR },
      anyOf: [{ required, properties: { meta: { required: others.meta?.required } } }, { required: ['error'] }],
      $defs: Object.fromEntries(definitions),
    };
  }

  #component(name: string): JsonSchema {
    const schema = this.components[name];
    if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${name}`);
    return openUnions(schema) as JsonSchema;
  }

  /** Adds the components that a schema refers to, directly or not. */
  #componentsOf(schema: unknown, names: Set<string>): ReadonlySet<string> {
    if (typeof schema !== 'object' || schema === null) return names;
    for (const [keyword, inner] of Object.entries(schema)) {
      if (keyword !== '$ref') this.#componentsOf(inner, names);
      else if (!names.has(nameOf(inner))) {
        names.add(nameOf(inner));
        this.#componentsOf(this.#component(nameOf(inner)), names);
      }
    }
    return names;
  }
}

const nameOf = (reference: unknown): string => String(reference).slice(COMPONENTS.length);

/** Copies a schema with any value in place of a union. A change has a record of any kind; the schemas of all of them would make
 * the list of tools half as long again, and the tools of their look-ups have them. */
function openUnions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openUnions);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword, inner]) => !(keyword === 'anyOf' && Array.isArray(inner)));
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, openUnions(inner)]));
}

/** Copies a schema without bounds, and unless it is `complete`, without descriptions, accepted values and required members. */
function shorten(schema: unknown, isComplete: boolean, areNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((inner) => shorten(inner, isComplete));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      // Members may have the names of keywords, such as `description`.
      .filter(([name]) => areNames || !(BOUNDS.has(name) || (!isComplete && DETAILS.has(name))))
      .map(([name, inner]) =>
        name === '$ref'
          ? [name, `#/$defs/${nameOf(inner)}`]
          : [name, shorten(inner, isComplete, name === 'properties')],
      ),
  );
}
