import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '../../http/errors/api-error.js';
import { describeError } from '../../http/errors/error-body.js';
import { readGuide } from '../guide.js';

/** JSON-RPC code of an unknown resource, which the SDK does not name. */
const RESOURCE_NOT_FOUND = -32002;

const GUIDE: Resource = {
  uri: 'creator-data:///guide.md',
  name: 'guide',
  title: 'Guide for integrators',
  description: 'Errors, paging, conditional requests, cost and retries, with examples over HTTP',
  mimeType: 'text/markdown',
};

/** Handles the requests about resources, of which the guide is the only one. */
export function handleResources(server: Server): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [GUIDE] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (uri !== GUIDE.uri) throw unknownResource(uri);
    return { contents: [{ uri, mimeType: GUIDE.mimeType, text: readGuide() }] };
  });
}

function unknownResource(uri: string): McpError {
  const error = new ApiError('unknown_resource', `Unknown resource: ${uri}`);
  return new McpError(RESOURCE_NOT_FOUND, error.message, { uri, ...describeError(error) });
}
