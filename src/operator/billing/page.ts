import { formatCount } from '../../model/counts.js';
import { Html, html } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1c20; --muted: #5b616b; --line: #dfe2e7; --soft: #f4f5f7;
  --bar: #2f6fbb; --part: #c8452d; --warn: #8a5a00; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #e8eaed; --muted: #a0a7b2;
  --line: #30343b; --soft: #1d2026; --bar: #6ba6ea; --part: #f0826c; --warn: #f0c060; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 960px; padding: 32px 24px 64px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 4px; }
p { margin: 0 0 8px; } .muted { color: var(--muted); } .warn { color: var(--warn); font-weight: 600; }
header { display: flex; flex-wrap: wrap; gap: 16px 48px; justify-content: space-between; margin-bottom: 24px; }
address { font-style: normal; } .facts { display: grid; gap: 0 16px; grid-template-columns: max-content 1fr; margin: 8px 0; } .facts dt { color: var(--muted); }
.facts dd { font-weight: 600; margin: 0; } .sheet { margin-top: 56px; } .sheet h2 { margin-top: 0; } .key { font-size: 13px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(var(--columns), 1fr); gap: 12px; margin: 0 0 24px; padding: 0; }
.tiles div { min-width: 0; background: var(--soft); border-radius: 8px; padding: 12px 16px; }
.tiles dt { color: var(--muted); font-size: 13px; } .tiles dd { margin: 0; font-size: 21px; font-weight: 600; }
figure { margin: 0 0 24px; } figcaption { font-weight: 600; margin-bottom: 4px; }
.legend { color: var(--muted); font-size: 13px; font-weight: 400; margin-left: 16px; }
.legend i { background: var(--part); border-radius: 2px; display: inline-block; height: 10px; margin-right: 6px; width: 10px; }
svg { display: block; height: auto; max-width: 100%; } .narrow { display: none; }
.scroll { overflow-x: auto; margin-bottom: 16px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: 6px 12px 6px 0; text-align: left; vertical-align: baseline; }
th { color: var(--muted); font-size: 13px; font-weight: 600; } th.n, td.n { text-align: right; padding: 6px 0 6px 12px; white-space: nowrap; }
tr.total td { border-bottom: 0; border-top: 2px solid var(--ink); font-weight: 700; } tr.sub td { font-weight: 600; }
@media (max-width: 600px) { body { padding: 20px 16px 40px; } h1 { font-size: 23px; } .tiles dd { font-size: 18px; }
  .wide { display: none; } .narrow { display: block; } table, thead, tbody { display: block; }
  thead { display: none; } .tiles { --columns: 2 !important; }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(80px, 1fr)); border-bottom: 1px solid var(--line); padding: 8px 0; }
  td, td.n { border: 0; padding: 0 8px 0 0; text-align: left; white-space: normal; }
  td.n::before { color: var(--muted); content: attr(data-label); display: block; font-size: 12px; font-weight: 400; }
  td:first-child { grid-column: 1 / -1; } tr.total { border-top: 2px solid var(--ink); } tr.total td { border: 0; } td:empty { display: none; } }
@media print { @page { margin: 16mm; } body { max-width: none; padding: 0; font-size: 10pt; } table { font-size: 9pt; } th, td, th.n, td.n { padding-bottom: 3px; padding-top: 3px; } .wide { display: block; }
  .narrow { display: none; } .tiles { gap: 8px; } .tiles div { border: 1px solid var(--line); padding: 6px 10px; } .tiles dd { font-size: 12pt; } h1 { font-size: 18pt; } h2 { font-size: 13pt; margin-top: 20px; } figure, header, .tiles { margin-bottom: 12px; } .scroll { overflow: visible; }
  table.many, table.many .key { font-size: 7.5pt; } table.many th { font-size: 7pt; } table.many .n { padding-left: 5px; }
  figure, tr, .tiles { break-inside: avoid; } svg { max-height: 55mm; } h2 { break-after: avoid; } .sheet { break-before: page; margin-top: 0; } .facts { margin: 4px 0; }
  thead { display: table-header-group; } }
`;

/** Forbids scripts and network access: a second defence, besides escaping, against HTML in customer names. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Renders a self-contained HTML page. @param metadata contents of `meta` elements by name */
export function renderPage(
  title: string,
  body: readonly Html[],
  metadata: Readonly<Record<string, string>> = {},
): string {
  const elements = Object.entries(metadata).map(
    ([name, content]) => html`<meta name="${name}" content="${content}" />`,
  );
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${elements}
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return document.text;
}

/** Renders the key figures at the top of a page. */
export function renderTiles(figures: readonly (readonly [string, string])[]): Html {
  const columns = figures.length > 5 ? 4 : figures.length;
  const items = figures.map(
    ([name, value]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`,
  );
  return html`<dl class="tiles" style="--columns: ${columns}">${items}</dl>`;
}

/** Renders named facts, one a line. */
export const renderFacts = (facts: readonly (readonly [string, string])[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;

/** A row of a table; numbers are aligned right. */
export interface TableRow {
  readonly cells: readonly (string | number | Html)[];
  readonly kind?: 'total' | 'sub';
}

/** Renders a table. @param numbers how many of the last columns are numeric */
export function renderTable(head: readonly string[], rows: readonly TableRow[], numbers: number): Html {
  const isNumber = (column: number) => column >= head.length - numbers;
  const cell = (value: string | number | Html, column: number) => {
    const text = typeof value === 'number' ? formatCount(value) : value;
    // Narrow screens hide the headings and show this label instead.
    return isNumber(column)
      ? html`<td class="n" data-label="${head[column] ?? ''}">${text}</td>`
      : html`<td>${text}</td>`;
  };
  const headings = head.map((name, column) =>
    isNumber(column) ? html`<th class="n">${name}</th>` : html`<th>${name}</th>`,
  );
  const lines = rows.map(
    ({ cells, kind }) =>
      html`<tr class="${kind ?? ''}">
        ${cells.map(cell)}
      </tr>`,
  );
  return html`<div class="scroll">
    <table class="${numbers > 5 ? 'many' : ''}">
      <thead>
        <tr>
          ${headings}
        </tr>
      </thead>
      <tbody>
        ${lines}
      </tbody>
    </table>
  </div>`;
}

/** Formats a month. @param month `2026-01` @returns `January 2026` */
export const formatMonth = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const renderCreatedAt = (date: Date): Html =>
  html`<p class="muted">Days are UTC. Created on ${date.toISOString().slice(0, 16).replace('T', ' ')}.</p>`;
