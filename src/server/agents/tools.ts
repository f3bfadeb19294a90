import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ApiDescription, DescribedOperation, DescribedParameter, JsonSchema } from './api-description.js';
import { OPERATIONS, type OperationName } from '../../model/operation.js';
import { OutputSchemas } from './output-schema.js';

/** MCP tool of an operation. */
export interface OperationTool {
  readonly operation: DescribedOperation;
  readonly tool: Tool;
}

/** Schemas of the API description by name. */
type Components = Readonly<Record<string, JsonSchema>>;

/** Creates a tool for each operation, by name. `profiles.get` becomes `profiles_get`, because clients reject dots. */
export function createTools(description: ApiDescription): ReadonlyMap<string, OperationTool> {
  const schemas = new OutputSchemas(description.components);
  return new Map(
    description.operations().map((operation) => {
      const tool = createTool(operation, schemas, description.components);
      return [tool.name, { operation, tool }];
    }),
  );
}

/** Replaces requests in a text, such as `POST /platforms/{platform}/profiles/lookup`, with the names of their tools. */
export function renameRequests(tools: ReadonlyMap<string, OperationTool>, text: string): string {
  const requests = Array.from(
    tools,
    ([name, { operation }]) => [`${operation.method} ${operation.path}`, name] as const,
  );
  // The longest first: one path may begin with another.
  const inOrder = requests.toSorted(([a], [b]) => b.length - a.length);
  return inOrder.reduce((named, [request, name]) => named.replaceAll(request, name), text);
}

/** The description of an operation states its price. */
function createTool(operation: DescribedOperation, schemas: OutputSchemas, components: Components): Tool {
  const { summary, description } = operation;
  return {
    name: toolName(operation.operation),
    title: summary,
    description: renameOperations(description),
    inputSchema: createInputSchema(operation, components),
    outputSchema: schemas.create(operation.answer),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Replaces the names of operations in a description with those of their tools. */
const renameOperations = (text: string): string =>
  OPERATIONS.reduce((named, name) => named.replaceAll(`\`${name}\``, `\`${toolName(name)}\``), text);

const toolName = (operation: OperationName): string => operation.replaceAll('.', '_');

/** Merges path, query and body into one flat object. @throws Error for a duplicate name */
function createInputSchema(
  { operation, parameters, body }: DescribedOperation,
  components: Components,
): Tool['inputSchema'] {
  const properties: Record<string, object> = {};
  const add = (name: string, schema: object) => {
    if (name in properties) throw new Error(`${operation} has two parameters ${name}`);
    properties[name] = schema;
  };
  const inOrder = [...pathParameters(parameters), ...parameters.filter((parameter) => parameter.in === 'query')];
  for (const { name, schema, description } of inOrder) {
    add(name, { ...(description === undefined ? {} : { description }), ...toJsonSchema(schema) });
  }
  for (const [name, schema] of Object.entries(body?.properties ?? {})) {
    add(name, inlineReferences(toJsonSchema(schema), components) as object);
  }
  const required = [
    ...inOrder.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Replaces references to schemas by the schemas, because a tool has no others beside its own. */
function inlineReferences(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlineReferences(item, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { allOf, $ref, ...rest } = schema as { readonly allOf?: readonly object[]; readonly $ref?: string };
  // The description of a member stands beside the only schema that it refers to.
  const [referred = $ref === undefined ? undefined : { $ref }] = allOf ?? [];
  const own = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, inlineReferences(inner, components)]),
  );
  if (referred === undefined) return own;
  const name = '$ref' in referred ? String(referred.$ref).split('/').at(-1) : undefined;
  const target = name === undefined ? referred : (components[name] ?? {});
  return { ...(inlineReferences(target, components) as object), ...own };
}

/** Returns the path parameters, with `platform` first, as in the path. */
function pathParameters(parameters: readonly DescribedParameter[]): DescribedParameter[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .toSorted((a, b) => Number(b.name === 'platform') - Number(a.name === 'platform'));
}

/** Replaces `example` of OpenAPI with `examples` of JSON Schema. */
function toJsonSchema({ example, ...schema }: JsonSchema): JsonSchema {
  return example === undefined ? schema : { ...schema, examples: [example] };
}
