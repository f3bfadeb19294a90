import { SingleBar } from 'cli-progress';
import type { ImportOutcome } from './import/importer.js';
import type { Output } from './output.js';

const REPORT_INTERVAL_MS = 10_000;

/** Shows progress on standard error: a bar on a terminal, a line every 10 s elsewhere. */
export class ProgressBar {
  readonly #startedAt = Date.now();
  readonly #bar: SingleBar | null;
  #lastReportAt = this.#startedAt;

  /** @param total bytes of the input, or records to write; null: unknown */
  constructor(
    private readonly label: string,
    private readonly total: number | null,
    private readonly output: Output,
    private readonly done = 'loaded',
  ) {
    this.#bar = process.stderr.isTTY && total !== null ? startBar(label, total, done) : null;
  }

  get seconds(): number {
    return (Date.now() - this.#startedAt) / 1000;
  }

  /** @param part of the total: bytes that were read, or records that were written */
  update({ loaded, rejected }: Readonly<ImportOutcome>, part: number): void {
    const perSecond = Math.round(loaded / Math.max(this.seconds, 0.001));
    this.#bar?.update(part, {
      loaded: loaded.toLocaleString('en'),
      rate: perSecond.toLocaleString('en'),
    });
    const now = Date.now();
    if (this.#bar !== null || now - this.#lastReportAt < REPORT_INTERVAL_MS) return;
    this.#lastReportAt = now;
    const bad = rejected === 0 ? '' : `, ${rejected.toLocaleString('en')} rejected`;
    this.output.printMessage(
      `${this.label}: ${loaded.toLocaleString('en')} ${this.done}${bad}, ${perSecond.toLocaleString('en')}/s${this.#remaining(part)}`,
    );
  }

  stop(): void {
    this.#bar?.stop();
  }

  #remaining(part: number): string {
    const { total } = this;
    if (total === null || part === 0) return '';
    // Others may have added records since they were counted.
    const left = Math.max(0, total - part);
    const percent = Math.min(100, Math.floor((part / total) * 100));
    return `, ${percent} %, about ${Math.ceil((this.seconds * left) / part)} s left`;
  }
}

function startBar(label: string, total: number, done: string): SingleBar {
  const bar = new SingleBar({
    format: `${label} {bar} {percentage} % | {loaded} ${done} | {rate}/s | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 100,
  });
  bar.start(total, 0, { loaded: '0', rate: '0' });
  return bar;
}
