import { Registry } from 'prom-client';
import { replaceFile } from './replace-file.js';

/** Interval at which the file is written. */
const WRITE_INTERVAL_MS = 2000;

/** A file for the textfile collector of the Prometheus node exporter. */
export class MetricsFile {
  readonly registry = new Registry();
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** Returns the configuration of a metric of this file. */
  metric<L extends string>(name: string, help: string, ...labelNames: L[]) {
    return { name: `creator_data_${name}`, help, labelNames, registers: [this.registry] };
  }

  /** Writes the file, unless it was written less than an interval ago. */
  writeRegularly(): void {
    if (Date.now() - this.#writtenAt < WRITE_INTERVAL_MS) return;
    this.#writtenAt = Date.now();
    // A failed write does not stop the command; `write` reports it at the end.
    this.#writing = this.#writing.then(() => this.#replace()).catch(() => undefined);
  }

  /** Writes the file. @throws Error if it cannot be written */
  async write(): Promise<void> {
    await this.#writing;
    await this.#replace();
  }

  /** Replaces the file atomically, so that the collector never reads a partial file. */
  async #replace(): Promise<void> {
    const text = await this.registry.metrics();
    await replaceFile(this.path, text);
  }
}
