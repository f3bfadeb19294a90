// @ts-check
// Reads what the clients need from the OpenAPI document.

/**
 * @typedef {{
 *   type?: string | string[], enum?: string[], format?: string, description?: string, $ref?: string, items?: Schema,
 *   properties?: Record<string, Schema>, required?: string[], additionalProperties?: boolean | Schema,
 *   minimum?: number, maximum?: number, maxItems?: number, default?: unknown,
 *   allOf?: Schema[], anyOf?: Schema[], oneOf?: Schema[], const?: string,
 * }} Schema
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema }} DescribedParameter
 * @typedef {{ content?: Record<string, { schema?: Schema }> }} Media
 * @typedef {{
 *   operationId: string, summary?: string, description?: string, parameters?: DescribedParameter[],
 *   requestBody?: Media & { required?: boolean }, responses: Record<string, Media>,
 * }} DescribedOperation
 * @typedef {{
 *   paths: Record<string, Record<string, DescribedOperation>>, components: { schemas: Record<string, Schema> },
 * }} Document
 *
 * @typedef {{ name: string, in: 'path' | 'query' | 'body', isRequired: boolean, description: string, schema: Schema }} Parameter
 * @typedef {{
 *   id: string, group: string, name: string, summary: string, method: string, path: string, parameters: Parameter[],
 *   body: Schema, isPaged: boolean, batch: { parameter: string, size: number } | null,
 * }} Operation `isPaged`: a list with a cursor; `batch`: a parameter that takes a limited number of values
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Methods whose requests only read: the clients repeat them after a 429, a 503 or a broken connection. */
const READS = ['get', 'post'];

/**
 * Lists the operations by group: `profiles.list` is the operation `list` of the group `profiles`.
 * @param {Document} document
 * @returns {Map<string, Operation[]>}
 */
export function readOperations(document) {
  /** @type {Map<string, Operation[]>} */
  const groups = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const described = item[method];
      if (described === undefined) continue;
      if (!READS.includes(method))
        throw new Error(`${described.operationId}: the clients retry, but it does not only read`);
      const operation = readOperation(document, path, method, described);
      groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation]);
    }
  }
  return groups;
}

/**
 * @param {Document} document @param {string} path @param {string} method @param {DescribedOperation} described
 * @returns {Operation}
 */
function readOperation(document, path, method, described) {
  const { operationId: id, summary = id, parameters = [], requestBody, responses } = described;
  const [group = '', name = 'get'] = id.split('.');
  const body = jsonSchema(document, responses['200']);
  if (body === null) throw new Error(`${id} has no JSON response`);
  const bodySchema = jsonSchema(document, requestBody);
  const all = [...parameters.flatMap(toParameter), ...bodyParameters(bodySchema)];
  if (new Set(all.map((parameter) => parameter.name)).size < all.length) throw new Error(`${id} repeats a parameter`);
  const isPaged = body.properties?.paging !== undefined && all.some((parameter) => parameter.name === 'cursor');
  const limited = all.filter(({ in: place, schema, isRequired }) => place === 'body' && isRequired && schema.maxItems);
  const [only] = limited.length === 1 ? limited : [];
  const batch = only === undefined ? null : { parameter: only.name, size: only.schema.maxItems ?? 1 };
  return { id, group, name, summary, method: method.toUpperCase(), path, parameters: all, body, isPaged, batch };
}

/** @param {DescribedParameter} described @returns {Parameter[]} none for headers, which the transport sends */
function toParameter({ name, in: place, required = false, description = '', schema }) {
  if (place !== 'path' && place !== 'query') return [];
  return [{ name, in: place, isRequired: required, description, schema }];
}

/** @param {Schema | null} schema @returns {Parameter[]} */
function bodyParameters(schema) {
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
    name,
    in: 'body',
    isRequired: schema?.required?.includes(name) ?? false,
    description: member.description ?? '',
    schema: member,
  }));
}

/** @param {Document} document @param {Media | undefined} media @returns {Schema | null} */
function jsonSchema(document, media) {
  const schema = media?.content?.['application/json']?.schema;
  if (schema?.$ref === undefined) return schema ?? null;
  return document.components.schemas[schemaName(schema.$ref)] ?? null;
}

/** @param {string} reference such as `#/components/schemas/Profile` */
export const schemaName = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

/** @param {string} name such as `by_profile` @param {boolean} isType whether the first letter is a capital */
export function camelCase(name, isType = false) {
  const joined = name.replaceAll(/[._](\w)/g, (_, letter) => letter.toUpperCase());
  return isType ? joined.charAt(0).toUpperCase() + joined.slice(1) : joined;
}

/**
 * Keeps what belongs in types: requests, and bodies of successes. Examples would repeat the sample data.
 * @param {any} document
 * @returns {Document}
 */
export function typesOnly(document) {
  const { schemas } = document.components;
  return JSON.parse(
    JSON.stringify({ ...document, components: { schemas } }, (key, value) => {
      if (isExample(key, value)) return undefined;
      if (key !== 'responses') return value;
      const { description, content } = value['200'];
      return { 200: { description, content } };
    }),
  );
}

/** A member of a schema may be called `example`; its value is a schema. @param {string} key @param {any} value */
const isExample = (key, value) => (key === 'example' || key === 'examples') && value?.type === undefined;
