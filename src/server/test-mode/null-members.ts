import type { OpenAPIObject } from '@nestjs/swagger';
import type { Answer } from '../../http/envelope/answer.js';
import type { Schema } from '../../http/envelope/envelope-schemas.js';

type Members = Readonly<Record<string, Schema>>;

/** Makes null each member of an answer that the OpenAPI document lets be null. */
export class NullMembers {
  readonly #schemas: Members;
  readonly #successes = new Map<string, Members>();

  constructor({ paths, components }: OpenAPIObject) {
    this.#schemas = (components?.schemas ?? {}) as Members;
    for (const { get, post } of Object.values(paths)) {
      for (const operation of [get, post]) {
        const response = operation?.responses['200'] as { content?: Record<string, { schema?: Schema }> } | undefined;
        const schema = response?.content?.['application/json']?.schema;
        this.#successes.set(operation?.operationId ?? '', membersOf(schema));
      }
    }
  }

  /** Makes nullable members null, except in `paging` and in the members of `meta` that repeat the request. */
  apply(operation: string, answer: Answer): Answer {
    const { payload = {}, meta = {} } = this.#successes.get(operation) ?? {};
    const { data } = answer;
    return {
      ...answer,
      data: Buffer.isBuffer(data)
        ? this.#nullDocument(data, payload)
        : data.map((document) => this.#nullDocument(document, (payload.items ?? {}) as Schema)),
      meta: this.#nullIn(answer.meta ?? {}, meta) as Answer['meta'] & object,
    };
  }

  #nullDocument(document: Buffer, schema: Schema): Buffer {
    return Buffer.from(JSON.stringify(this.#nullIn(JSON.parse(String(document)), schema)));
  }

  #nullIn(value: unknown, described: Schema): unknown {
    const schema = this.#resolve(described);
    if (mayBeNull(schema)) return null;
    if (Array.isArray(value)) return value.map((item) => this.#nullIn(item, (schema.items ?? {}) as Schema));
    if (typeof value !== 'object' || value === null) return value;
    const members = membersOf(schema);
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.#nullIn(inner, members[name] ?? {})]),
    );
  }

  #resolve(schema: Schema): Schema {
    return typeof schema.$ref === 'string' ? (this.#schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  }
}

const membersOf = (schema: Schema | undefined): Members => (schema?.properties ?? {}) as Members;

/** Whether a schema lets a value be null, by its types or as one of its choices. */
function mayBeNull({ type, anyOf }: Schema): boolean {
  if (Array.isArray(anyOf)) return (anyOf as readonly Schema[]).some((choice) => choice.type === 'null');
  return Array.isArray(type) && type.includes('null');
}
