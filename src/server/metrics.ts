import type { INestApplication } from '@nestjs/common';
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge } from 'prom-client';
import { RequestCounts } from '../receipts/request-counts.js';
import { UsageRecorder } from '../receipts/usage-recorder.js';

/** A text of Prometheus metrics, as of now. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** The metrics of this process. A worker's primary may ask for them as well, see `metricsOfWorkers`. */
export function metricsOf(app: INestApplication): MetricsSource {
  // In a worker it answers the primary's requests.
  const registry = new AggregatorRegistry();
  collectDefaultMetrics({ register: registry });
  const counts = app.get(RequestCounts, { strict: false });
  const recorder = app.get(UsageRecorder, { strict: false });
  new Counter({
    name: 'creator_data_requests_total',
    help: 'Answered requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { operation, status, count } of counts.list()) this.inc({ operation, status }, count);
    },
  });
  new Gauge({
    name: 'creator_data_rejections_dropped',
    help: 'Records of requests without a valid key that were dropped because too many came at once',
    registers: [registry],
    collect() {
      this.set(recorder.droppedRejections);
    },
  });
  new Gauge({
    name: 'creator_data_records_lost',
    help: 'Records of answers with 503 that neither the store nor the local disk nor memory had room for',
    registers: [registry],
    collect() {
      this.set(recorder.lostRecords);
    },
  });
  AggregatorRegistry.setRegistries(registry);
  return registry;
}

/** The metrics of all workers together, for the process that supervises them. */
export function metricsOfWorkers(): MetricsSource {
  const registry = new AggregatorRegistry();
  return { contentType: registry.contentType, metrics: () => registry.clusterMetrics() };
}
