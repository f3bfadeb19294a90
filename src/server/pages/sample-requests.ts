import type { OpenAPIObject } from '@nestjs/swagger';
import type { OperationName } from '../../model/operation.js';
import { describePrice } from '../agents/price-text.js';
import { EXAMPLES } from '../openapi/examples.js';
import { renderJson } from './json-markup.js';
import { escapeHtml } from './page-files.js';
import { referenceAddress } from './price-table.js';

/** Requests beside the card of the sample creator, and the part of the card that each brings. */
const SHOWN: readonly (readonly [OperationName, title: string])[] = [
  ['profiles.get', 'Profile'],
  ['audience.get', 'Audience'],
  ['socials.get', 'Accounts'],
  ['content.get', 'Stream'],
  ['games.get', 'Game'],
];

/** Renders the requests as curl commands, each with its recorded answer. They open one at a time, without a script. */
export function renderSampleRequests(document: OpenAPIObject): string {
  return SHOWN.map(([operation, title], index) => renderRequest(document, operation, title, index === 0)).join('\n');
}

function renderRequest(document: OpenAPIObject, operation: OperationName, title: string, isOpen: boolean): string {
  const { address, group } = findAddress(document, operation);
  const { parameters = {}, response = {} } = EXAMPLES[operation] ?? {};
  const query = new URLSearchParams();
  let path = address;
  for (const [name, value] of Object.entries(parameters)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else query.set(name, String(value));
  }
  if (query.size > 0) path += `?${query}`;
  return `<details name="request" data-operation="${operation}"${isOpen ? ' open' : ''}>
<summary><strong>${title}</strong> <span class="quiet">${describePrice(operation)}</span></summary>
<pre class="request" aria-label="Request: ${title}" tabindex="0"><code data-example>curl -s -H 'x-api-key: YOUR_KEY' \\
  'https://HOST${escapeHtml(path)}'</code></pre>
<pre class="response" aria-label="Answer: ${title}" tabindex="0"><code>${renderJson(response)}</code></pre>
<p><a href="${referenceAddress(group, operation)}">${title} in the reference</a></p>
</details>`;
}

function findAddress({ paths }: OpenAPIObject, operation: string): { address: string; group: string } {
  for (const [address, { get }] of Object.entries(paths)) {
    if (get?.operationId === operation) return { address, group: get.tags?.[0] ?? '' };
  }
  throw new Error(`the description has no operation ${operation}`);
}
