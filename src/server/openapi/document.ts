import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { INTRODUCTION } from './introduction.js';
import { openApiSchemas } from './schemas.js';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'message'],
      properties: { status: { type: 'integer' }, message: { type: 'string' } },
      additionalProperties: false,
    },
    meta: {
      type: 'object',
      required: ['request_id'],
      properties: { request_id: { type: 'string', format: 'uuid' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

/** The description of the API: routes and parameters from the controllers, payloads from the shapes the import checks. */
export function createOpenApiDocument(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setTitle('Creator Data Lookup Service')
    .setDescription(INTRODUCTION)
    .setVersion('1.0.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key' }, 'api-key')
    .build();
  const document = SwaggerModule.createDocument(app, settings, { autoTagControllers: false });
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      ...openApiSchemas(),
      Error: structuredClone(ERROR_SCHEMA) as never,
    },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of [item.get, item.post]) if (operation !== undefined) operation.tags = [tagOf(path)];
  }
  refuseUnknownSchemas(document);
  return document;
}

/** @throws Error for an endpoint whose payload is none of the schemas */
function refuseUnknownSchemas({ paths, components }: OpenAPIObject): void {
  for (const [, name = ''] of JSON.stringify(paths).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (components?.schemas?.[name] === undefined) throw new Error(`the OpenAPI document has no schema ${name}`);
  }
}

/** The last word of the path that is not a parameter tells what it is about. */
function tagOf(path: string): string {
  if (/\/(analysis|audience|socials|email)$/.test(path)) return 'Analysis';
  if (path.endsWith('/content') || path.includes('/content/')) return 'Content';
  if (path.includes('/games')) return 'Games';
  if (path.includes('/profiles')) return 'Profiles';
  return path.startsWith('/usage') ? 'Usage' : 'Health';
}
