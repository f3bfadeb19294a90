import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { DescribedOperation, DescribedParameter, JsonSchema } from './api-description.js';
import { OPERATIONS, type OperationName } from '../../model/operation.js';
import { priceText } from './price-text.js';

/** An operation of the API as a tool of MCP. */
export interface OperationTool {
  readonly operation: DescribedOperation;
  readonly tool: Tool;
}

/** @returns by name; `profiles.get` is `profiles_get`, as clients take no dots */
export function toolsOf(operations: readonly DescribedOperation[]): ReadonlyMap<string, OperationTool> {
  return new Map(
    operations.map((operation) => {
      const tool = toolOf(operation);
      return [tool.name, { operation, tool }];
    }),
  );
}

function toolOf(operation: DescribedOperation): Tool {
  const { summary, description } = operation;
  return {
    name: toolName(operation.operation),
    title: summary,
    description: [summary, withToolNames(description), `Price: ${priceText(operation.operation)}.`]
      .filter((text) => text !== '')
      .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
      .join('\n'),
    inputSchema: inputSchemaOf(operation),
    annotations: {
      title: summary,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Descriptions name other operations, which are tools here. */
const withToolNames = (text: string): string =>
  OPERATIONS.reduce((named, name) => named.replaceAll(`\`${name}\``, `\`${toolName(name)}\``), text);

const toolName = (operation: OperationName): string => operation.replaceAll('.', '_');

/** Path, query and body in one flat object. @throws Error for a name that occurs twice */
function inputSchemaOf({ operation, parameters, body }: DescribedOperation): Tool['inputSchema'] {
  const properties: Record<string, object> = {};
  const add = (name: string, schema: object) => {
    if (name in properties) throw new Error(`${operation} has two parameters ${name}`);
    properties[name] = schema;
  };
  const inOrder = [...ofPath(parameters), ...parameters.filter((parameter) => parameter.in === 'query')];
  for (const { name, schema, description } of inOrder) {
    add(name, { ...(description === undefined ? {} : { description }), ...asJsonSchema(schema) });
  }
  for (const [name, schema] of Object.entries(body?.properties ?? {})) add(name, asJsonSchema(schema));
  const required = [
    ...inOrder.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  return { type: 'object', properties, required, additionalProperties: false };
}

/** `platform` before the ID on it, as in the path. */
function ofPath(parameters: readonly DescribedParameter[]): DescribedParameter[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .toSorted((a, b) => Number(b.name === 'platform') - Number(a.name === 'platform'));
}

/** OpenAPI 3.0 has `example` where JSON Schema has `examples`. */
function asJsonSchema({ example, ...schema }: JsonSchema): JsonSchema {
  return example === undefined ? schema : { ...schema, examples: [example] };
}
