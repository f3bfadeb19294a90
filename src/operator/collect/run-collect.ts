import { setFlagsFromString } from 'node:v8';
import type { CommandContext } from '../command.js';
import { DONE, FAILED, SOMETHING_REJECTED } from '../output.js';
import { ProgressBar } from '../progress-bar.js';
import { stopSignal } from '../stop-signal.js';
import { ApiClient } from './api-client.js';
import type { CallRunner, CallRunnerOptions } from './call-runner.js';
import type { CollectMetrics } from './collect-metrics.js';
import type { CollectPlatform } from './collect-platform.js';
import { createReport, formatReport } from './collect-report.js';
import type { ApiAccess } from './collect-settings.js';
import { CollectStore } from './collect-store.js';
import { quotaDay } from './quota-day.js';
import { ResponseArchive } from './response-archive.js';
import type { CreatorCounts } from './status.js';
import { SYSTEM_TIMER } from './timer.js';

/** Options of every command that collects. */
export interface CollectOptions {
  readonly loop?: true;
  readonly budget?: number;
  readonly keep?: string;
  readonly metrics?: string;
}

/** What a command collects with. */
export interface CollectRun {
  readonly calls: CallRunner;
  readonly isOverBudget: boolean;
  run(): Promise<void>;
  /** Counts the creators; null for games. */
  count(now: number): CreatorCounts | null;
}

/** Options that are the same for creators and games. */
export interface StartOptions extends CallRunnerOptions {
  /** Shows what is left, from the estimate of the calls of a run. */
  readonly onStart: (calls: number) => void;
}

/** How often the creators are counted for the metrics, also while a loop waits. */
const COUNT_MS = 10_000;

/** Collects with progress, metrics, audit entries and a report. @returns the exit status */
export async function runCollect(
  { database, output, audit }: CommandContext,
  platform: Pick<CollectPlatform, 'source' | 'url' | 'limits'>,
  access: ApiAccess,
  options: CollectOptions,
  start: (options: StartOptions) => Promise<CollectRun>,
): Promise<number> {
  // A collector runs for months and waits most of the time. With it, V8 needs 20 MiB less.
  setFlagsFromString('--optimize-for-size');
  await database.limitWriteMemory();
  const { source, limits } = platform;
  const isLoop = options.loop === true;
  const startedAt = Date.now();
  const signal = stopSignal();
  const budget = options.budget ?? limits.unitsPerDay;
  const store = new CollectStore(database, source, SYSTEM_TIMER.now);
  const archive = options.keep === undefined ? null : await ResponseArchive.open(options.keep, source);
  const metrics = await startMetrics(source, options.metrics);
  let collecting: CollectRun | null = null;
  let bar = new ProgressBar(source, null, output, 'calls');
  const progress = () => {
    if (collecting === null) return;
    const { calls } = collecting;
    const done = calls.answered + calls.failed;
    bar.update({ lines: calls.sent, loaded: calls.answered, rejected: calls.failed }, done);
    metrics?.updateCounts(calls);
  };
  const updateMetrics = () => {
    if (collecting === null || metrics === null) return;
    metrics.updateCounts(collecting.calls);
    const counts = collecting.count(Date.now());
    if (counts !== null) metrics.updateCreators(counts);
  };
  const counting = metrics === null ? null : setInterval(updateMetrics, COUNT_MS);
  try {
    collecting = await start({
      platform,
      client: new ApiClient(source, access, SYSTEM_TIMER.now),
      store,
      database,
      timer: SYSTEM_TIMER,
      random: Math.random,
      budget,
      isLoop,
      archive,
      progress,
      onStart: (calls) => {
        if (!isLoop) bar = new ProgressBar(source, calls, output, 'calls');
      },
      message: (line) => output.printMessage(line),
      signal,
    });
    await audit.start({ source, loop: isLoop });
    await collecting.run();
    progress();
    const { calls, isOverBudget } = collecting;
    const now = Date.now();
    const report = createReport(source, calls, {
      spent: await store.readSpent(quotaDay(now, limits.timeZone)),
      budget,
      isOverBudget,
      creators: collecting.count(now),
      seconds: (now - startedAt) / 1000,
    });
    const hasProblems = calls.rejected > 0 || calls.failed > 0;
    const outcome = signal.aborted ? 'stopped' : hasProblems ? 'rejected' : 'done';
    await audit.end({ source, loop: isLoop, calls: calls.answered, units: calls.units, ...report.records }, outcome);
    output.printResult(report, formatReport(report));
    if (signal.aborted && !isLoop) {
      output.printMessage('Stopped. Every stored answer is complete; run the same command again to ask for the rest.');
      return FAILED;
    }
    return hasProblems ? SOMETHING_REJECTED : DONE;
  } finally {
    bar.stop();
    if (counting !== null) clearInterval(counting);
    await archive?.close();
    // After a failure, too: then most creators can be late.
    updateMetrics();
    await metrics?.stop();
  }
}

/** Starts `--metrics`. The metrics library is loaded only if it is needed. */
async function startMetrics(source: string, path: string | undefined): Promise<CollectMetrics | null> {
  if (path === undefined) return null;
  const { CollectMetrics: Metrics } = await import('./collect-metrics.js');
  return Metrics.start(path, source);
}
