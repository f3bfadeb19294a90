import { escapeHtml } from './page-files.js';

/** Row of a bar chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as readers see it. */
  readonly text: string;
}

/** Renders a bar chart as a table whose bars scale to the largest value. Readers without pictures get the same numbers. */
export function renderBars(caption: string, [label, value]: readonly [string, string], bars: readonly Bar[]): string {
  const largest = Math.max(...bars.map((bar) => bar.value));
  const rows = bars.map(
    (bar) =>
      `<tr><th scope="row">${escapeHtml(bar.label)}</th>` +
      `<td class="strip">${renderBar(largest > 0 ? (bar.value / largest) * 100 : 0)}</td>` +
      `<td class="number">${escapeHtml(bar.text)}</td></tr>`,
  );
  const head = `<th scope="col">${label}</th><td></td><th scope="col">${value}</th>`;
  return `<table class="bars"><caption>${escapeHtml(caption)}</caption><thead class="unseen"><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

// An attribute of SVG, because the policy of the page forbids inline styles.
const renderBar = (percent: number): string =>
  `<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent.toFixed(1)}" height="1" /></svg>`;
