import type { OpenAPIObject } from '@nestjs/swagger';
import type { OperationName } from '../../model/operation.js';
import { PRICES } from '../../receipts/prices.js';
import { EXAMPLES } from '../openapi/examples.js';
import { renderJson } from './json-markup.js';
import { escapeHtml } from './page-files.js';
import { referenceAddress } from './price-table.js';

/** Requests that the landing page shows beside the sample creator, with the names of their tabs. */
const SHOWN = {
  'profiles.get': 'Profile',
  'audience.get': 'Audience',
  'socials.get': 'Accounts',
  'content.get': 'Stream',
  'games.get': 'Game',
} satisfies Partial<Record<OperationName, string>>;

type ShownOperation = keyof typeof SHOWN;

/** Renders the tabs of the shown requests. */
export function renderRequestTabs(): string {
  return Object.entries(SHOWN)
    .map(([operation, name]) => {
      const id = idOf(operation);
      return `<button role="tab" id="tab-${id}" aria-controls="${id}" data-operation="${operation}">${name}</button>`;
    })
    .join('\n');
}

/** Renders the shown requests as curl commands, each with its recorded answer. */
export function renderRequests(document: OpenAPIObject): string {
  return (Object.keys(SHOWN) as ShownOperation[]).map((operation) => renderRequest(document, operation)).join('\n');
}

function renderRequest(document: OpenAPIObject, operation: ShownOperation): string {
  const { address, group } = findAddress(document, operation);
  const { parameters = {}, response = {} } = EXAMPLES[operation] ?? {};
  const path = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  const id = idOf(operation);
  return `<div id="${id}" role="tabpanel" aria-labelledby="tab-${id}" tabindex="0">
<pre class="request" aria-label="Request" tabindex="0"><code>curl -s -H 'x-api-key: YOUR_KEY' \\
  'https://HOST${escapeHtml(path)}'</code></pre>
<pre class="response" aria-label="Answer" tabindex="0"><code>${renderJson(response)}</code></pre>
<p class="cost">${renderCost(operation)} <a href="${referenceAddress(group, operation)}">Reference</a></p>
</div>`;
}

function renderCost(operation: ShownOperation): string {
  const { units, credits } = PRICES[operation];
  const count = (amount: number, name: string) => `${amount} ${name}${amount === 1 ? '' : 's'}`;
  return `Costs ${count(units.amount, 'quota unit')} and ${count(credits.amount, 'credit')}.`;
}

function findAddress({ paths }: OpenAPIObject, operation: string): { address: string; group: string } {
  for (const [address, { get }] of Object.entries(paths)) {
    if (get?.operationId === operation) return { address, group: get.tags?.[0] ?? '' };
  }
  throw new Error(`the description has no operation ${operation}`);
}

const idOf = (operation: string): string => operation.replace('.', '-');
