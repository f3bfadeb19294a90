import type { OpenAPIObject } from '@nestjs/swagger';
import type { OperationName } from '../../model/operation.js';
import { PRICES, type Charge } from '../../receipts/prices.js';
import { escapeHtml } from './page-files.js';

interface PricedEndpoint {
  readonly operation: OperationName;
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** The bodies of the price table: each endpoint of the description, in its groups, with what is charged for it. */
export function priceTable(document: OpenAPIObject): string {
  const endpoints = pricedEndpoints(document);
  const groups = [...new Set(endpoints.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = endpoints.filter((endpoint) => endpoint.group === group).map(rowOf);
      return `<tbody><tr><th colspan="3" scope="rowgroup">${escapeHtml(group)}</th></tr>${rows.join('')}</tbody>`;
    })
    .join('\n');
}

/** In the order of the price list. */
function pricedEndpoints({ paths }: OpenAPIObject): PricedEndpoint[] {
  const described = Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method: method.toUpperCase(), ...operation }];
    }),
  );
  return (Object.keys(PRICES) as OperationName[]).flatMap((operation) =>
    described
      .filter(({ operationId }) => operationId === operation)
      .map(({ method, path, summary = '', tags = [] }) => ({ operation, group: tags[0] ?? '', method, path, summary })),
  );
}

function rowOf({ operation, group, method, path, summary }: PricedEndpoint): string {
  const { units, credits } = PRICES[operation];
  const reference = `docs#/${encodeURIComponent(group)}/${encodeURIComponent(operation)}`;
  // Long paths break between their segments.
  const shownPath = escapeHtml(path).replaceAll(/(?<=.)\//g, '<wbr>/');
  const endpoint = `<a href="${reference}">${escapeHtml(summary)}</a> <code class="path">${method} ${shownPath}</code>`;
  return `<tr><td>${endpoint}</td>${cellOf(units)}${cellOf(credits)}</tr>`;
}

function cellOf({ amount, per }: Charge): string {
  const rate = amount === 0 ? '<span class="free">free</span>' : `${amount} <span class="per">per ${per}</span>`;
  return `<td class="number">${rate}</td>`;
}
