import { Counter, Gauge } from 'prom-client';
import { MetricsFile } from '../metrics-file.js';
import type { CreatorCounts } from './status.js';

type Label = 'source' | 'outcome' | 'kind' | 'state';

/** What the metrics show of a run. */
export interface CollectCounts {
  readonly answered: number;
  readonly failed: number;
  readonly rejected: number;
  readonly units: number;
  readonly written: ReadonlyMap<string, number>;
}

/** Metrics of the progress of `collect`. */
export class CollectMetrics {
  readonly #calls: Counter<Label>;
  readonly #units: Counter<Label>;
  readonly #records: Counter<Label>;
  readonly #creators: Gauge<Label>;
  readonly #running: Gauge<Label>;

  private constructor(
    private readonly file: MetricsFile,
    private readonly source: string,
  ) {
    this.#calls = new Counter(file.metric('collect_calls_total', 'Calls of this run by outcome', 'source', 'outcome'));
    this.#units = new Counter(file.metric('collect_units_total', 'Units that this run spent', 'source'));
    this.#records = new Counter(file.metric('collect_records_total', 'Records that were stored', 'source', 'kind'));
    this.#creators = new Gauge(
      file.metric('collect_creators', 'Creators by what is to be done: watched, due, late, gone', 'source', 'state'),
    );
    this.#running = new Gauge(file.metric('collect_running', 'Whether the collector is running', 'source'));
  }

  /** Creates the metrics and writes the file. @throws Error if it cannot be written */
  static async start(path: string, source: string): Promise<CollectMetrics> {
    const metrics = new CollectMetrics(new MetricsFile(path), source);
    metrics.#running.set({ source }, 1);
    await metrics.file.write();
    return metrics;
  }

  /** Updates the numbers of calls, units and records. */
  updateCounts({ answered, failed, rejected, units, written }: CollectCounts): void {
    const { source } = this;
    this.#calls.reset();
    for (const [outcome, count] of Object.entries({ answered, failed, rejected }))
      this.#calls.inc({ source, outcome }, count);
    this.#units.reset();
    this.#units.inc({ source }, units);
    this.#records.reset();
    for (const [kind, count] of written) this.#records.inc({ source, kind }, count);
    this.file.writeRegularly();
  }

  /** Updates the numbers of creators. */
  updateCreators({ creators, due, late, gone }: CreatorCounts): void {
    for (const [state, count] of Object.entries({ watched: creators, due, late, gone }))
      this.#creators.set({ source: this.source, state }, count);
    this.file.writeRegularly();
  }

  /** Writes the final metrics. @throws Error if they cannot be written */
  async stop(): Promise<void> {
    this.#running.set({ source: this.source }, 0);
    await this.file.write();
  }
}
