import type { Spec } from 'vega';
import { Html, html } from './html.js';

/** A bar of a chart. */
export interface ChartBar {
  readonly label: string;
  readonly value: number;
  /** Length of the highlighted part at the start of the bar, for example errors. */
  readonly part?: number;
  /** Text at the end of a horizontal bar. */
  readonly text?: string;
}

/** A bar chart. It is rendered as SVG, so that the page needs no script. */
export interface Chart {
  readonly title: string;
  readonly bars: readonly ChartBar[];
  /** Vertical for days, horizontal for names. */
  readonly direction: 'vertical' | 'horizontal';
  /** Meaning of `part` in the legend. */
  readonly partTitle?: string;
}

/** Widths in pixels. Each chart is drawn twice, because a scaled-down chart is not readable on a phone. */
const WIDTHS = { wide: 912, narrow: 350 } as const;

/** Draws a chart in both widths, of which CSS shows one. Colours are CSS variables of the page, for light, dark and print. */
export async function drawChart(chart: Chart): Promise<Html> {
  const figures: Html[] = [];
  for (const [name, width] of Object.entries(WIDTHS)) {
    figures.push(html`<div class="${name}">${new Html(await svgOf(chart, width))}</div>`);
  }
  const legend = chart.partTitle === undefined ? null : html`<span class="legend"><i></i>${chart.partTitle}</span>`;
  return html`<figure>
    <figcaption>${chart.title}${legend}</figcaption>
    ${figures}
  </figure>`;
}

async function svgOf(chart: Chart, width: number): Promise<string> {
  // Loaded lazily: other commands do not draw.
  const { parse, View } = await import('vega');
  const view = new View(parse(specOf(chart, width)), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg.replace('<svg ', `<svg role="img" aria-label="${chart.title}" `);
}

const TEXT = {
  type: 'text' as const,
  from: { data: 'bars' },
  encode: {
    enter: {
      x: { scale: 'value', field: 'value', offset: 6 },
      y: { scale: 'label', field: 'label', band: 0.5 },
      text: { field: 'text' },
      baseline: { value: 'middle' as const },
      fill: { value: 'var(--muted)' },
      font: { value: 'system-ui, sans-serif' },
      fontSize: { value: 11 },
    },
  },
};

function specOf({ bars, direction, partTitle }: Chart, width: number): Spec {
  const isVertical = direction === 'vertical';
  const labels = { name: 'label', type: 'band', domain: { data: 'bars', field: 'label' }, padding: 0.25 } as const;
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  // Leave room for the text at the end of horizontal bars.
  const domain = [0, isVertical ? longest : longest * (width > 400 ? 1.12 : 1.45)];
  const values = { name: 'value', type: 'linear', domain, nice: isVertical, zero: true } as const;
  // There is no browser to measure labels: estimate their width by their length.
  const extent = 8 + 6 * Math.max(1, ...bars.map(({ label }) => label.length));
  // Format each number separately: Vega would use thousands for all if one needs them, and write 0.8 as 800m.
  const text = { signal: "format(datum.value, datum.value < 1000 ? '~g' : '~s')" };
  const numberLabels = { labels: { update: { text } } };
  const tickMinStep = longest < 5 ? 0 : 1;
  const valueAxis = { grid: true, tickCount: 5, tickMinStep, encode: numberLabels, domain: false, ticks: false };
  const labelAxis = { scale: 'label', domain: false, ticks: false, labelPadding: 6, labelOverlap: true };
  const between = (from: object, to: object) =>
    isVertical
      ? { x: { scale: 'label', field: 'label' }, width: { scale: 'label', band: 1 }, y: to, y2: from }
      : { y: { scale: 'label', field: 'label' }, height: { scale: 'label', band: 1 }, x: from, x2: to };
  const bar = (fill: string, to: string) => ({
    type: 'rect' as const,
    from: { data: 'bars' },
    encode: {
      enter: { fill: { value: fill }, ...between({ scale: 'value', value: 0 }, { scale: 'value', field: to }) },
    },
  });
  return {
    width,
    height: isVertical ? 180 : Math.max(1, bars.length) * 26,
    padding: 4,
    autosize: { type: 'fit', contains: 'padding' },
    data: [
      { name: 'bars', values: bars.map(({ label, value, part = 0, text = '' }) => ({ label, value, part, text })) },
    ],
    scales: isVertical
      ? [
          { ...labels, range: 'width' },
          { ...values, range: 'height' },
        ]
      : [
          { ...labels, range: 'height' },
          { ...values, range: 'width' },
        ],
    axes: isVertical
      ? [
          { ...labelAxis, orient: 'bottom' },
          { ...valueAxis, orient: 'left', scale: 'value' },
        ]
      : [{ ...labelAxis, orient: 'left', labelOverlap: false, minExtent: extent, maxExtent: extent }],
    marks: [
      bar('var(--bar)', 'value'),
      ...(partTitle === undefined ? [] : [bar('var(--part)', 'part')]),
      ...(isVertical ? [] : [TEXT]),
    ],
    config: {
      axis: {
        labelColor: 'var(--muted)',
        gridColor: 'var(--line)',
        labelFont: 'system-ui, sans-serif',
        labelFontSize: 11,
        labelLimit: 0,
      },
    },
  };
}
