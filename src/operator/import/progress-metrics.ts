import { rename, writeFile } from 'node:fs/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import type { ImportOutcome } from './importer.js';

/** Interval at which the file is written. */
const WRITE_INTERVAL_MS = 2000;

type Label = 'kind' | 'file' | 'outcome';

/** Writes the progress of an import to a file for the textfile collector of the Prometheus node exporter. */
export class ProgressMetrics {
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly kind: string,
    private readonly registry: Registry,
    private readonly lines: Counter<Label>,
    private readonly bytes: Gauge<Label>,
    private readonly share: Gauge<Label>,
    private readonly running: Gauge<Label>,
  ) {}

  /** Creates the metrics and writes the file. @throws Error if it cannot be written */
  static async start(path: string, kind: string): Promise<ProgressMetrics> {
    const registry = new Registry();
    const metric = <L extends Label>(name: string, help: string, ...labelNames: L[]) => ({
      name: `creator_data_import_${name}`,
      help,
      labelNames,
      registers: [registry],
    });
    const metrics = new ProgressMetrics(
      path,
      kind,
      registry,
      new Counter(metric('lines_total', 'Lines of the import by outcome', 'kind', 'file', 'outcome')),
      new Gauge(metric('read_bytes', 'Bytes of the file that were read', 'kind', 'file')),
      new Gauge(metric('progress_ratio', 'Fraction of the file that was read', 'kind', 'file')),
      new Gauge(metric('running', 'Whether the import is running', 'kind')),
    );
    metrics.running.set({ kind }, 1);
    await metrics.#write();
    return metrics;
  }

  /** Updates the metrics of a file. @param totalBytes of the file; null: unknown */
  update(file: string, { loaded, rejected }: Readonly<ImportOutcome>, bytes: number, totalBytes: number | null): void {
    const labels = { kind: this.kind, file };
    for (const [outcome, count] of Object.entries({ loaded, rejected })) {
      this.lines.remove({ ...labels, outcome });
      this.lines.inc({ ...labels, outcome }, count);
    }
    this.bytes.set(labels, bytes);
    if (totalBytes !== null) this.share.set(labels, totalBytes === 0 ? 1 : bytes / totalBytes);
    if (Date.now() - this.#writtenAt < WRITE_INTERVAL_MS) return;
    this.#writtenAt = Date.now();
    // A failed write does not stop the import; `end` reports it.
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
  }

  /** Writes the final metrics. @throws Error if they cannot be written */
  async stop(): Promise<void> {
    this.running.set({ kind: this.kind }, 0);
    await this.#writing;
    await this.#write();
  }

  /** Replaces the file atomically, so that the collector never reads a partial file. */
  async #write(): Promise<void> {
    const text = await this.registry.metrics();
    await writeFile(`${this.path}.part`, text);
    await rename(`${this.path}.part`, this.path);
  }
}
