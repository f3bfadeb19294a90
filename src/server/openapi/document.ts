import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_SCHEMA } from '../../http/envelope/envelope-schemas.js';
import { HEADERS } from '../../http/envelope/header-documentation.js';
import { OPERATIONS } from '../../model/operation.js';
import { addExamples, EXAMPLES } from './examples.js';
import { INTRODUCTION, SECURITY_TEXT } from './introduction.js';
import { createOpenApiSchemas } from './schemas.js';
import { SHARED_ANSWERS, referToSharedAnswers } from './shared-answers.js';
import { TAG_OBJECTS, findTag } from './tags.js';

/** Version of the API reference; releases of the service have their own versions. */
const API_VERSION = '1.0.0';

/** Creates the OpenAPI document: routes and parameters from the controllers, payloads from the schemas of the import. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Creator Data Lookup Service')
    .setDescription(INTRODUCTION)
    .setVersion(API_VERSION)
    .addServer('/', 'The service that this description comes from')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key', description: SECURITY_TEXT }, 'api-key')
    .build();
  const document = SwaggerModule.createDocument(app, settings, { autoTagControllers: false });
  // `Object.assign`, because the package's types lack `identifier`, which is new in OpenAPI 3.1.
  Object.assign(document.info, {
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Whoever runs this service, and gave you the key' },
  });
  document.tags = TAG_OBJECTS;
  const components = (document.components ??= {});
  for (const schema of Object.values(components.schemas ?? {})) {
    // So far there are only schemas of requests, in which unknown members are rejected.
    Object.assign(schema, { additionalProperties: false });
  }
  Object.assign((components.schemas ??= {}), createOpenApiSchemas(), { Error: ERROR_SCHEMA });
  Object.assign(components, { headers: HEADERS, responses: SHARED_ANSWERS });
  completeOperations(document);
  requireKnownReferences(document);
  addExamples(document, EXAMPLES);
  // A copy, because parts of the document are shared constants.
  return structuredClone(document);
}

/** Adds the shared answers and tags to each operation, and sorts the operations in the order of the API reference. */
function completeOperations(document: OpenAPIObject): void {
  const rank = new Map<string, number>(OPERATIONS.map((name, index) => [name, index]));
  const ranked: [number, string][] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    const ranks: number[] = [];
    for (const method of ['get', 'post'] as const) {
      const operation = item[method];
      if (operation === undefined) continue;
      const { operationId = '' } = operation;
      operation.tags = [findTag(operationId)];
      // Path first: Nest collects query parameters first.
      operation.parameters?.sort((a, b) => pathFirst(a) - pathFirst(b));
      operation.security ??= [];
      const needsKey = operation.security.length > 0;
      const answers = referToSharedAnswers(method, needsKey);
      operation.responses = { ...answers, ...operation.responses };
      ranks.push(rank.get(operationId) ?? OPERATIONS.length);
    }
    ranked.push([Math.min(...ranks), path]);
  }
  ranked.sort(([a], [b]) => a - b);
  document.paths = Object.fromEntries(ranked.map(([, path]) => [path, document.paths[path] ?? {}]));
}

const pathFirst = (parameter: object): number => ('in' in parameter && parameter.in === 'path' ? 0 : 1);

/** @throws Error for a reference to a missing component, such as an unknown payload */
function requireKnownReferences({ paths, components }: OpenAPIObject): void {
  for (const [, kind = '', name = ''] of JSON.stringify(paths).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    const known = components?.[kind as keyof typeof components];
    if (known?.[name] === undefined) throw new Error(`the OpenAPI document has no ${kind}/${name}`);
  }
}
