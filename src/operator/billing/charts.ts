import type { Spec } from 'vega';
import { Html, html } from './html.js';

/** A bar: what it stands for, and how long it is. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Parts of the bar from its start, for example errors; the rest has the main colour. */
  readonly part?: number;
  /** What is written at the end of a lying bar. */
  readonly text?: string;
}

/** A chart of bars, as SVG made here: the page needs no script, and prints as it looks. */
export interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Upright for days, lying for names. */
  readonly direction: 'upright' | 'lying';
  /** What `part` is, if there are any. */
  readonly partTitle?: string;
}

/** Text in a chart must stay readable on a phone, so that there are two of each. */
const WIDTHS = { wide: 912, narrow: 350 } as const;

/** Draws a chart in both widths; CSS shows one. Colours are variables of the page, for light, dark and print. */
export async function drawn(chart: Chart): Promise<Html> {
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
  // Lazy: no other command draws.
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
  const isUpright = direction === 'upright';
  const labels = { name: 'label', type: 'band', domain: { data: 'bars', field: 'label' }, padding: 0.25 } as const;
  const longest = Math.max(1, ...bars.map(({ value }) => value));
  // Beside lying bars there is room for text.
  const domain = [0, isUpright ? longest : longest * (width > 400 ? 1.12 : 1.45)];
  const values = { name: 'value', type: 'linear', domain, nice: isUpright, zero: true } as const;
  // Labels are measured without a browser: by their length.
  const extent = 8 + 6 * Math.max(1, ...bars.map(({ label }) => label.length));
  // Each number for itself: Vega would write all of them in thousands as soon as one is, and 0.8 as 800m.
  const text = { signal: "format(datum.value, datum.value < 1000 ? '~g' : '~s')" };
  const numbers = { labels: { update: { text } } };
  const tickMinStep = longest < 5 ? 0 : 1;
  const axis = { grid: true, tickCount: 5, tickMinStep, encode: numbers, domain: false, ticks: false };
  const across = { scale: 'label', domain: false, ticks: false, labelPadding: 6, labelOverlap: true };
  const between = (from: object, to: object) =>
    isUpright
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
    height: isUpright ? 180 : Math.max(1, bars.length) * 26,
    padding: 4,
    autosize: { type: 'fit', contains: 'padding' },
    data: [
      { name: 'bars', values: bars.map(({ label, value, part = 0, text = '' }) => ({ label, value, part, text })) },
    ],
    scales: isUpright
      ? [
          { ...labels, range: 'width' },
          { ...values, range: 'height' },
        ]
      : [
          { ...labels, range: 'height' },
          { ...values, range: 'width' },
        ],
    axes: isUpright
      ? [
          { ...across, orient: 'bottom' },
          { ...axis, orient: 'left', scale: 'value' },
        ]
      : [{ ...across, orient: 'left', labelOverlap: false, minExtent: extent, maxExtent: extent }],
    marks: [
      bar('var(--bar)', 'value'),
      ...(partTitle === undefined ? [] : [bar('var(--part)', 'part')]),
      ...(isUpright ? [] : [TEXT]),
    ],
    config: {
      axis: {
        labelColor: 'var(--muted)',
        gridColor: 'var(--line)',
        labelFont: 'system-ui, sans-serif',
        labelFontSize: 11,
      },
    },
  };
}
