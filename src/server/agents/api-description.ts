import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OPERATIONS, type OperationName } from '../../model/operation.js';

/** Operation of the OpenAPI document that needs a key. */
export interface DescribedOperation {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** As in the document, for example `/platforms/{platform}/content`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly DescribedParameter[];
  /** Schema of the JSON body with references resolved; null without a body. */
  readonly body: ObjectSchema | null;
  /** Schema of a successful answer, with references to `components`. */
  readonly answer: AnswerSchema;
}

/** Path or query parameter. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schema of the answer to an operation, an envelope. */
export interface AnswerSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

export interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** OpenAPI document of the running service, from which tools and `/llms.txt` are created. */
@Injectable()
export class ApiDescription {
  #document: OpenAPIObject | null = null;

  get document(): OpenAPIObject {
    if (this.#document === null) throw new Error('the application is not configured yet');
    return this.#document;
  }

  set document(document: OpenAPIObject) {
    this.#document = document;
  }

  get components(): Readonly<Record<string, JsonSchema>> {
    return (this.document.components?.schemas ?? {}) as Readonly<Record<string, JsonSchema>>;
  }

  /** Lists the operations that need a key, in the order of the document. */
  operations(): DescribedOperation[] {
    const { paths } = this.document;
    return Object.entries(paths).flatMap(([path, item]) =>
      (['get', 'post'] as const).flatMap((method) => {
        const described = item[method];
        const operation = OPERATIONS.find((name) => name === described?.operationId);
        if (described === undefined || operation === undefined) return [];
        const { summary = '', description = '', tags = [], parameters = [], requestBody, responses } = described;
        return {
          operation,
          method: method === 'get' ? 'GET' : 'POST',
          path,
          summary,
          description,
          tag: tags[0] ?? '',
          parameters: parameters as unknown as readonly DescribedParameter[],
          body: requestBody === undefined ? null : this.#bodyOf(operation, requestBody),
          answer: jsonSchemaOf(responses['200']) as unknown as AnswerSchema,
        } as const;
      }),
    );
  }

  #bodyOf(operation: OperationName, requestBody: object): ObjectSchema {
    const schema = this.#resolved(jsonSchemaOf(requestBody));
    if (typeof schema.properties !== 'object')
      throw new Error(`the body of ${operation} must be an object with properties`);
    return {
      properties: schema.properties as ObjectSchema['properties'],
      required: (schema.required ?? []) as string[],
    };
  }

  #resolved(schema: JsonSchema): JsonSchema {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    return name === undefined ? schema : (this.components[name] ?? {});
  }
}

/** Returns the schema of a JSON body. */
function jsonSchemaOf(body: object | undefined): JsonSchema {
  const { content = {} } = (body ?? {}) as { content?: Record<string, { schema?: JsonSchema }> };
  return content['application/json']?.schema ?? {};
}
