import { Counter, Gauge } from 'prom-client';
import { MetricsFile } from '../metrics-file.js';
import type { ImportOutcome } from './importer.js';

type Label = 'kind' | 'file' | 'outcome';

/** Metrics of the progress of an import. */
export class ProgressMetrics {
  readonly #lines: Counter<Label>;
  readonly #bytes: Gauge<Label>;
  readonly #share: Gauge<Label>;
  readonly #running: Gauge<Label>;

  private constructor(
    private readonly file: MetricsFile,
    private readonly kinds: readonly string[],
  ) {
    this.#lines = new Counter(
      file.metric('import_lines_total', 'Lines of the import by outcome', 'kind', 'file', 'outcome'),
    );
    this.#bytes = new Gauge(file.metric('import_read_bytes', 'Bytes of the file that were read', 'kind', 'file'));
    this.#share = new Gauge(file.metric('import_progress_ratio', 'Fraction of the file that was read', 'kind', 'file'));
    this.#running = new Gauge(file.metric('import_running', 'Whether the import is running', 'kind'));
  }

  /** Creates the metrics and writes the file. @throws Error if it cannot be written */
  static async start(path: string, kinds: readonly string[]): Promise<ProgressMetrics> {
    const metrics = new ProgressMetrics(new MetricsFile(path), kinds);
    for (const kind of kinds) metrics.#running.set({ kind }, 1);
    await metrics.file.write();
    return metrics;
  }

  /** Updates the metrics of a file. @param totalBytes of the file; null: unknown */
  update(
    kind: string,
    file: string,
    { loaded, rejected }: Readonly<ImportOutcome>,
    bytes: number,
    totalBytes: number | null,
  ): void {
    const labels = { kind, file };
    for (const [outcome, count] of Object.entries({ loaded, rejected })) {
      this.#lines.remove({ ...labels, outcome });
      this.#lines.inc({ ...labels, outcome }, count);
    }
    this.#bytes.set(labels, bytes);
    if (totalBytes !== null) this.#share.set(labels, totalBytes === 0 ? 1 : bytes / totalBytes);
    this.file.writeRegularly();
  }

  /** Writes the final metrics. @throws Error if they cannot be written */
  async stop(): Promise<void> {
    for (const kind of this.kinds) this.#running.set({ kind }, 0);
    await this.file.write();
  }
}
