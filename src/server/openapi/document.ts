import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_SCHEMA } from '../../http/envelope/envelope-schemas.js';
import { HEADERS } from '../../http/envelope/header-documentation.js';
import { OPERATIONS } from '../../model/operation.js';
import { addExamples, EXAMPLES } from './examples.js';
import { INTRODUCTION, SECURITY_TEXT } from './introduction.js';
import { openApiSchemas } from './schemas.js';
import { SHARED_ANSWERS, sharedAnswers } from './shared-answers.js';
import { TAG_OBJECTS, tagOf } from './tags.js';

/** The reference's version of the API; releases of the service have their own. */
const API_VERSION = '1.0.0';

/** The description of the API: routes and parameters from the controllers, payloads from the shapes the import checks. */
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
  // `identifier` is new in 3.1, and unknown to the package's types.
  Object.assign(document.info, {
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Whoever runs this service, and gave you the key' },
  });
  document.tags = TAG_OBJECTS;
  const components = (document.components ??= {});
  for (const schema of Object.values(components.schemas ?? {})) {
    // Those of the requests: an unknown member is refused.
    Object.assign(schema, { additionalProperties: false });
  }
  Object.assign((components.schemas ??= {}), openApiSchemas(), { Error: ERROR_SCHEMA });
  Object.assign(components, { headers: HEADERS, responses: SHARED_ANSWERS });
  completeOperations(document);
  refuseUnknownReferences(document);
  addExamples(document, EXAMPLES);
  // Of its own from here on: parts of it are constants.
  return structuredClone(document);
}

/** Adds to each operation what is alike everywhere, and puts them into the reference's order. */
function completeOperations(document: OpenAPIObject): void {
  const rank = new Map<string, number>(OPERATIONS.map((name, index) => [name, index]));
  const ranked: [number, string][] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    const ranks: number[] = [];
    for (const method of ['get', 'post'] as const) {
      const operation = item[method];
      if (operation === undefined) continue;
      const { operationId = '' } = operation;
      operation.tags = [tagOf(operationId)];
      // Nest collects those of the query first.
      operation.parameters?.sort((a, b) => placeOf(a) - placeOf(b));
      operation.security ??= [];
      operation.responses = { ...sharedAnswers(method, operation.security.length > 0), ...operation.responses };
      ranks.push(rank.get(operationId) ?? OPERATIONS.length);
    }
    ranked.push([Math.min(...ranks), path]);
  }
  ranked.sort(([a], [b]) => a - b);
  document.paths = Object.fromEntries(ranked.map(([, path]) => [path, document.paths[path] ?? {}]));
}

const placeOf = (parameter: object): number => ('in' in parameter && parameter.in === 'path' ? 0 : 1);

/** @throws Error for an endpoint whose payload is none of the schemas */
function refuseUnknownReferences({ paths, components }: OpenAPIObject): void {
  for (const [, kind = '', name = ''] of JSON.stringify(paths).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    const known = components?.[kind as keyof typeof components];
    if (known?.[name] === undefined) throw new Error(`the OpenAPI document has no ${kind}/${name}`);
  }
}
