import type { Candidate } from './candidates.js';
import type { CreatorOutcome } from './enricher.js';

/** How a run ended. `limit`: creators are left, but the money is spent. */
export type RunEnd = 'done' | 'limit' | 'stopped';

/** Numbers of creators by outcome. */
export type OutcomeCounts = Readonly<Partial<Record<CreatorOutcome, number>>>;

export interface RunResult {
  readonly end: RunEnd;
  readonly counts: OutcomeCounts;
}

export interface RunOptions {
  readonly concurrency: number;
  /** Starts no further creator when it is aborted. */
  readonly signal: AbortSignal;
  /** Aborts the signal after an error, so that the other creators end. */
  readonly abort: () => void;
  readonly process: (candidate: Candidate) => Promise<CreatorOutcome>;
  readonly progress: (counts: OutcomeCounts) => void;
}

/** Processes creators, several at a time, until all are done, the limit is reached, or a signal stops the run. */
export async function processAll(
  candidates: AsyncGenerator<Candidate>,
  { concurrency, signal, abort, process, progress }: RunOptions,
): Promise<RunResult> {
  const counts: Partial<Record<CreatorOutcome, number>> = {};
  let isSpent = false;
  const work = async () => {
    while (!isSpent && !signal.aborted) {
      const { value } = await candidates.next();
      if (value === undefined) return;
      const outcome = await process(value);
      if (outcome === 'limit') isSpent = true;
      else if (outcome !== 'stopped') counts[outcome] = (counts[outcome] ?? 0) + 1;
      progress(counts);
    }
  };
  const workers = Array.from({ length: concurrency }, () =>
    work().catch((error: unknown) => {
      abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  await candidates.return(undefined);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return { end: signal.aborted ? 'stopped' : isSpent ? 'limit' : 'done', counts };
}
