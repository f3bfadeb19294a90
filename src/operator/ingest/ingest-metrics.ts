import { Counter, Gauge } from 'prom-client';
import type { RunCounters } from '../../sources/report.js';
import { MetricsFile } from '../metrics-file.js';

type Label = 'source' | 'file' | 'outcome' | 'kind';

/** Metrics of the progress of an ingest: it reads all files, then stores the records. */
export class IngestMetrics {
  readonly #documents: Counter<Label>;
  readonly #records: Counter<Label>;
  readonly #bytes: Gauge<Label>;
  readonly #share: Gauge<Label>;
  readonly #running: Gauge<Label>;

  private constructor(
    private readonly file: MetricsFile,
    private readonly source: string,
  ) {
    this.#documents = new Counter(
      file.metric('ingest_documents_total', 'Documents of the ingest by outcome', 'source', 'outcome'),
    );
    this.#records = new Counter(file.metric('ingest_records_total', 'Records that were stored', 'source', 'kind'));
    this.#bytes = new Gauge(file.metric('ingest_read_bytes', 'Bytes of the file that were read', 'source', 'file'));
    this.#share = new Gauge(
      file.metric('ingest_progress_ratio', 'Fraction of the file that was read', 'source', 'file'),
    );
    this.#running = new Gauge(file.metric('ingest_running', 'Whether the ingest is running', 'source'));
  }

  /** Creates the metrics and writes the file. @throws Error if it cannot be written */
  static async start(path: string, source: string): Promise<IngestMetrics> {
    const metrics = new IngestMetrics(new MetricsFile(path), source);
    metrics.#running.set({ source }, 1);
    await metrics.file.write();
    return metrics;
  }

  /** Updates how much of a file was read. @param totalBytes of the file; null: unknown */
  updateFile(file: string, bytes: number, totalBytes: number | null): void {
    const labels = { source: this.source, file };
    this.#bytes.set(labels, bytes);
    if (totalBytes !== null) this.#share.set(labels, totalBytes === 0 ? 1 : bytes / totalBytes);
  }

  /** Updates the numbers of documents and records. */
  updateCounts({ read, rejected, written }: RunCounters): void {
    const { source } = this;
    this.#documents.reset();
    this.#documents.inc({ source, outcome: 'read' }, read);
    this.#documents.inc({ source, outcome: 'rejected' }, rejected);
    this.#records.reset();
    for (const [kind, count] of written) this.#records.inc({ source, kind }, count);
    this.file.writeRegularly();
  }

  /** Writes the final metrics. @throws Error if they cannot be written */
  async stop(): Promise<void> {
    this.#running.set({ source: this.source }, 0);
    await this.file.write();
  }
}
