import { rename, writeFile } from 'node:fs/promises';
import { Counter, Gauge, Registry } from 'prom-client';
import type { ImportOutcome } from './importer.js';

/** How often the file is written. */
const EVERY_MS = 2000;

type Label = 'kind' | 'file' | 'outcome';

/** Progress of an import as a file for the text collector of Prometheus' node exporter. */
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

  /** Writes the file for the first time. @throws where it cannot be written */
  static async begin(path: string, kind: string): Promise<ProgressMetrics> {
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
      new Counter(metric('lines_total', 'Lines of an import by what became of them', 'kind', 'file', 'outcome')),
      new Gauge(metric('read_bytes', 'Bytes of the file that are behind it', 'kind', 'file')),
      new Gauge(metric('progress_ratio', 'Part of the file that is behind it', 'kind', 'file')),
      new Gauge(metric('running', 'Whether it runs', 'kind')),
    );
    metrics.running.set({ kind }, 1);
    await metrics.#write();
    return metrics;
  }

  /** @param totalBytes of the file, null where nobody knows */
  show(file: string, { loaded, rejected }: Readonly<ImportOutcome>, bytes: number, totalBytes: number | null): void {
    const labels = { kind: this.kind, file };
    for (const [outcome, count] of Object.entries({ loaded, rejected })) {
      this.lines.remove({ ...labels, outcome });
      this.lines.inc({ ...labels, outcome }, count);
    }
    this.bytes.set(labels, bytes);
    if (totalBytes !== null) this.share.set(labels, totalBytes === 0 ? 1 : bytes / totalBytes);
    if (Date.now() - this.#writtenAt < EVERY_MS) return;
    this.#writtenAt = Date.now();
    // A file that cannot be written any more ends no import; the end says so.
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
  }

  /** Writes the last figures. @throws where it cannot */
  async end(): Promise<void> {
    this.running.set({ kind: this.kind }, 0);
    await this.#writing;
    await this.#write();
  }

  /** The collector must not read half of it. */
  async #write(): Promise<void> {
    const text = await this.registry.metrics();
    await writeFile(`${this.path}.part`, text);
    await rename(`${this.path}.part`, this.path);
  }
}
