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

/** Renders the table bodies of the prices, one for each group of endpoints. */
export function renderPriceTable(document: OpenAPIObject): string {
  const endpoints = listPricedEndpoints(document);
  const groups = [...new Set(endpoints.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = endpoints.filter((endpoint) => endpoint.group === group).map(renderRow);
      return `<tbody><tr><th colspan="3" scope="rowgroup">${escapeHtml(group)}</th></tr>${rows.join('')}</tbody>`;
    })
    .join('\n');
}

/** Lists the endpoints in the order of the price list. */
function listPricedEndpoints({ paths }: OpenAPIObject): PricedEndpoint[] {
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

/** Returns the address of an operation in the API reference, relative to the landing page. */
export const referenceAddress = (group: string, operation: string): string =>
  `docs#/${encodeURIComponent(group)}/${encodeURIComponent(operation)}`;

function renderRow({ operation, group, method, path, summary }: PricedEndpoint): string {
  const { units, credits } = PRICES[operation];
  // Allow line breaks between the segments of a path.
  const shownPath = escapeHtml(path).replaceAll(/(?<=.)\//g, '<wbr>/');
  const endpoint = `<a href="${referenceAddress(group, operation)}">${escapeHtml(summary)}</a> <code class="path">${method} ${shownPath}</code>`;
  return `<tr><td>${endpoint}</td>${renderCell(units)}${renderCell(credits)}</tr>`;
}

function renderCell({ amount, per }: Charge): string {
  if (per === 'record') {
    return `<td class="number">${amount === 0 ? '' : `${amount} `}<span class="per">${amount === 0 ? '' : 'or '}as look-ups</span></td>`;
  }
  const rate = amount === 0 ? '<span class="free">free</span>' : `${amount} <span class="per">per ${per}</span>`;
  return `<td class="number">${rate}</td>`;
}
