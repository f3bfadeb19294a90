/** Upper bounds of the buckets, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Histogram of durations. It only counts; the metrics page formats the counts when it is requested. */
export class DurationHistogram {
  /** Count per bucket, not cumulative; the last one holds durations beyond all bounds. */
  readonly #counts = Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0);
  #sum = 0;

  observe(milliseconds: number): void {
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] ?? Infinity)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Total of all durations in seconds. */
  get sum(): number {
    return this.#sum;
  }

  /** Returns the number of durations up to each bound; the last number is the total. */
  cumulative(): number[] {
    let count = 0;
    return this.#counts.map((inBucket) => (count += inBucket));
  }
}
