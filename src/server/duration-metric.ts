import { DURATION_BUCKETS, type DurationHistogram } from '../model/duration-histogram.js';

export interface Labelled<T> {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: T;
}

/** Creates a histogram metric for `prom-client`. The library's own histogram would look up labels on every request. */
export function createDurationMetric(
  name: string,
  help: string,
  histograms: () => readonly Labelled<DurationHistogram>[],
) {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: histograms().flatMap(({ labels, value }) => samplesOf(name, labels, value)),
  });
  return { name, help, aggregator: 'sum', get, reset: () => undefined };
}

function samplesOf(name: string, labels: Readonly<Record<string, string>>, histogram: DurationHistogram) {
  const counts = histogram.cumulative();
  const total = counts.at(-1) ?? 0;
  return [
    ...DURATION_BUCKETS.map((bound, at) => ({
      metricName: `${name}_bucket`,
      labels: { le: bound, ...labels },
      value: counts[at] ?? 0,
    })),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: total },
    { metricName: `${name}_sum`, labels: { ...labels }, value: histogram.sum },
    { metricName: `${name}_count`, labels: { ...labels }, value: total },
  ];
}
