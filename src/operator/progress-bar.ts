import { SingleBar } from 'cli-progress';
import type { ImportOutcome } from './import/importer.js';
import type { Output } from './output.js';

const REPORT_INTERVAL_MS = 10_000;

/** Shows progress on standard error: a bar on a terminal, a line every 10 s elsewhere. */
export class ProgressBar {
  readonly #startedAt = Date.now();
  readonly #bar: SingleBar | null;
  #lastReportAt = this.#startedAt;

  constructor(
    private readonly label: string,
    private readonly totalBytes: number | null,
    private readonly output: Output,
    private readonly done = 'loaded',
  ) {
    this.#bar = process.stderr.isTTY && totalBytes !== null ? startBar(label, totalBytes, done) : null;
  }

  get seconds(): number {
    return (Date.now() - this.#startedAt) / 1000;
  }

  /** @param bytes of the input that were read */
  update({ loaded, rejected }: Readonly<ImportOutcome>, bytes: number): void {
    const perSecond = Math.round(loaded / Math.max(this.seconds, 0.001));
    this.#bar?.update(bytes, {
      loaded: loaded.toLocaleString('en'),
      rate: perSecond.toLocaleString('en'),
    });
    const now = Date.now();
    if (this.#bar !== null || now - this.#lastReportAt < REPORT_INTERVAL_MS) return;
    this.#lastReportAt = now;
    const bad = rejected === 0 ? '' : `, ${rejected.toLocaleString('en')} rejected`;
    this.output.printMessage(
      `${this.label}: ${loaded.toLocaleString('en')} ${this.done}${bad}, ${perSecond.toLocaleString('en')}/s${this.#remaining(bytes)}`,
    );
  }

  stop(): void {
    this.#bar?.stop();
  }

  #remaining(bytes: number): string {
    const { totalBytes } = this;
    if (totalBytes === null || bytes === 0) return '';
    const percent = Math.floor((bytes / totalBytes) * 100);
    return `, ${percent} %, about ${Math.ceil((this.seconds * (totalBytes - bytes)) / bytes)} s left`;
  }
}

function startBar(label: string, totalBytes: number, done: string): SingleBar {
  const bar = new SingleBar({
    format: `${label} {bar} {percentage} % | {loaded} ${done} | {rate}/s | {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 100,
  });
  bar.start(totalBytes, 0, { loaded: '0', rate: '0' });
  return bar;
}
