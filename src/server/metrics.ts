import type { INestApplication } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  type Metric,
  type RegistryContentType,
} from 'prom-client';
import { Database } from '../database/database.js';
import { DatabaseHealth } from '../database/database-health.js';
import { CreatorSearch } from '../features/search/creator-search.js';
import { IndexFollower } from '../features/search/index-follower.js';
import { IndexReader } from '../features/search/index-reader.js';
import { MinuteCounters } from '../features/quota/minute-counters.js';
import type { LeanExpressAdapter } from '../http/node/lean-express.adapter.js';
import { RequestCounts } from '../receipts/request-counts.js';
import { UsageRecorder } from '../receipts/usage-recorder.js';
import { Clock } from '../model/clock.js';
import { AllowanceRatios } from './allowance-ratios.js';
import { createDurationMetric, type Labelled } from './duration-metric.js';
import { version } from '../model/version.js';

/** Source of the current metrics as Prometheus text. */
export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly values: () => Samples | Promise<Samples>;
  /** How the values of workers are combined. @defaultValue sum */
  readonly aggregator?: 'sum' | 'min' | 'max' | 'first';
}

type Samples = Iterable<Labelled<number>>;

/** Gauges of the library that are sums of others, under names of counters, which Prometheus' conventions reject. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Creates the metrics of this process. In a worker, they also answer `createWorkerMetrics` of the primary. */
export function createMetrics(app: INestApplication): MetricsSource {
  const registry = new AggregatorRegistry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const [counts, recorder, database] = [app.get(RequestCounts), app.get(UsageRecorder), app.get(Database)];
  for (const counter of listCounters(app, counts, recorder)) register(registry, Counter, counter);
  for (const gauge of [...listGauges(app, recorder, database), ...listSearchGauges(app)])
    register(registry, Gauge, gauge);
  for (const metric of listDurations(counts, database, app.get(CreatorSearch, { strict: false })))
    registry.registerMetric(metric as unknown as Metric);
  AggregatorRegistry.setRegistries(registry);
  return registry;
}

const listCounters = (
  app: INestApplication,
  counts: RequestCounts,
  recorder: UsageRecorder,
): readonly MetricDefinition[] => [
  {
    name: 'creator_data_overload_rejections_total',
    help: 'Requests answered 503 because no slot was free in time',
    values: () => [{ labels: {}, value: (app.getHttpAdapter() as LeanExpressAdapter).traffic.inFlight.rejected }],
  },
  {
    name: 'creator_data_requests_total',
    help: 'Answered requests by operation and status',
    values: () => Array.from(counts.statuses(), ({ count, ...labels }) => ({ labels, value: count })),
  },
  {
    name: 'creator_data_limit_rejections_total',
    help: 'Requests answered 429 by the limit that they passed',
    values: () => Object.entries(counts.limited).map(([limit, value]) => ({ labels: { limit }, value })),
  },
  {
    name: 'creator_data_record_groups_total',
    help: 'Groups of usage records by what became of them',
    values: () => Object.entries(recorder.groups).map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
  {
    name: 'creator_data_rejections_dropped_total',
    help: 'Records of requests without a valid key that were dropped because too many came at once',
    values: () => [{ labels: {}, value: recorder.droppedRejections }],
  },
  {
    name: 'creator_data_records_lost_total',
    help: 'Records of answers with 503 that neither the store nor the local disk nor memory had room for, or whose file was damaged',
    values: () => [{ labels: {}, value: recorder.lostRecords }],
  },
];

function listGauges(app: INestApplication, recorder: UsageRecorder, database: Database): readonly MetricDefinition[] {
  const health = app.get(DatabaseHealth);
  const counters = app.get(MinuteCounters);
  const clock = app.get(Clock);
  const ratios = new AllowanceRatios(database);
  const { traffic } = app.getHttpAdapter() as LeanExpressAdapter;
  return [
    {
      name: 'creator_data_build_info',
      help: 'Always 1; the labels say what runs',
      values: () => [{ labels: { version: version(), node: process.version, database: database.dialect }, value: 1 }],
      aggregator: 'first',
    },
    {
      name: 'creator_data_database_up',
      help: 'Whether the database can be read, asked by each scrape',
      values: async () => [flag(await health.isUp())],
      aggregator: 'min',
    },
    {
      name: 'creator_data_usage_up',
      help: 'Whether usage records can be made durable in the database, tried by a scrape if no request did',
      values: async () => [flag(await recorder.canRecord())],
      aggregator: 'min',
    },
    {
      name: 'creator_data_records_unsettled',
      help: '1 while usage records of an outage wait for the store',
      values: () => [flag(recorder.hasUnsettled)],
      aggregator: 'max',
    },
    {
      name: 'creator_data_redis_up',
      help: 'Whether the minute counters are shared through Redis; absent without REDIS_URL',
      values: async () => {
        const isShared = await counters.checkSharedStore();
        return isShared === null ? [] : [flag(isShared)];
      },
      aggregator: 'min',
    },
    {
      name: 'creator_data_key_allowance_used_ratio',
      help: 'Used part of the month allowance of a key, the higher one of units and credits; only keys with an allowance',
      values: () => ratios.read(clock.now()),
      // Every process reads the same rows.
      aggregator: 'max',
    },
    {
      name: 'creator_data_requests_in_flight',
      help: 'Requests that are being handled',
      values: () => [{ labels: {}, value: traffic.inFlight.count }],
    },
    {
      name: 'creator_data_requests_waiting',
      help: 'Requests that wait for a slot',
      values: () => [{ labels: {}, value: traffic.inFlight.waiting }],
    },
    {
      name: 'creator_data_uploads',
      help: 'Request bodies that are arriving',
      values: () => [{ labels: {}, value: traffic.uploads.count }],
    },
    {
      name: 'creator_data_pool_connections',
      help: 'Connections to MySQL by pool and state',
      values: () =>
        database.pools().flatMap(({ pool, open, idle }) => [
          { labels: { pool, state: 'idle' }, value: idle },
          { labels: { pool, state: 'busy' }, value: open - idle },
        ]),
    },
    {
      name: 'creator_data_pool_waiting',
      help: 'Statements that wait for a connection to MySQL',
      values: () => database.pools().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    },
  ];
}

/** Gauges of the search index. The processes of a machine share it, so that their values are not summed. */
function listSearchGauges(app: INestApplication): readonly MetricDefinition[] {
  const reader = app.get(IndexReader, { strict: false });
  const follower = app.get(IndexFollower, { strict: false });
  const gauge = (name: string, help: string, value: () => number): MetricDefinition => ({
    name: `creator_data_search_${name}`,
    help,
    values: () => [{ labels: {}, value: value() }],
    aggregator: 'max',
  });
  return [
    gauge('documents', 'Creators in the search index', () => reader.current()?.documents ?? 0),
    gauge('index_bytes', 'Size of the search index', () => reader.current()?.bytes ?? 0),
    gauge('lag_seconds', 'How long the search index has lacked changes of the store', () => follower.lagSeconds),
    gauge(
      'build_seconds',
      'Duration of the last complete build of the search index',
      () => reader.current()?.manifest.buildSeconds ?? 0,
    ),
    {
      name: 'creator_data_search_up',
      help: 'Whether the search index can be written',
      values: () => [flag(follower.isHealthy)],
      aggregator: 'min',
    },
  ];
}

const listDurations = (counts: RequestCounts, database: Database, search: CreatorSearch) => [
  createDurationMetric('creator_data_request_duration_seconds', 'From a request to its answer', () =>
    Array.from(counts.durations(), ({ operation, status, histogram }) => ({
      labels: { operation, status },
      value: histogram,
    })),
  ),
  createDurationMetric(
    'creator_data_store_read_duration_seconds',
    'Reads, with the wait for a connection or a thread',
    () => [{ labels: {}, value: database.reads }],
  ),
  createDurationMetric(
    'creator_data_search_duration_seconds',
    'Searches for creators, with the wait for the index and the reads of the results',
    () => [{ labels: {}, value: search.durations }],
  ),
  createDurationMetric(
    'creator_data_record_wait_duration_seconds',
    'How long answers waited for their usage record',
    () => [{ labels: {}, value: counts.recordWaits }],
  ),
];

const flag = (isTrue: boolean): Labelled<number> => ({ labels: {}, value: isTrue ? 1 : 0 });

function register(
  registry: AggregatorRegistry<RegistryContentType>,
  Kind: typeof Counter | typeof Gauge,
  { name, help, values, aggregator = 'sum' }: MetricDefinition,
): void {
  const labelNames = [
    'operation',
    'status',
    'limit',
    'outcome',
    'version',
    'node',
    'database',
    'pool',
    'state',
    'key_id',
  ];
  new Kind({
    name,
    help,
    labelNames,
    registers: [registry],
    aggregator,
    async collect() {
      const samples = await values();
      // Without a wait from here on, because two scrapes may overlap.
      this.reset();
      for (const { labels, value } of samples) this.inc(labels, value);
    },
  });
}

/** Creates the sum of all workers' metrics, for the primary process. */
export function createWorkerMetrics(): MetricsSource {
  const registry = new AggregatorRegistry();
  return { contentType: registry.contentType, metrics: () => registry.clusterMetrics() };
}
