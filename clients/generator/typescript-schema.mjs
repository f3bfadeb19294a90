// @ts-check
import openapiTypescript, { astToString } from 'openapi-typescript';
import { NOTICE } from './notice.mjs';

/**
 * Returns the types of the document, as openapi-typescript makes them. Members with a default may be left out of a request.
 * @param {import('./description.mjs').Document} document
 */
export async function typescriptSchema(document) {
  const source = /** @type {import('openapi-typescript').OpenAPI3} */ (/** @type {unknown} */ (document));
  return `// ${NOTICE}\n${astToString(await openapiTypescript(source, { defaultNonNullable: false }))}`;
}
