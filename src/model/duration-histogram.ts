/** Upper bounds of the buckets, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Durations, counted by size in plain numbers: text is made of them only when metrics are asked for. */
export class DurationHistogram {
  /** Of each bucket alone; the last one is beyond all bounds. */
  readonly #counts = Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0);
  #sum = 0;

  observe(milliseconds: number): void {
    const seconds = milliseconds / 1000;
    let at = 0;
    while (at < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[at] ?? Infinity)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Seconds in all. */
  get sum(): number {
    return this.#sum;
  }

  /** How many were at most as long as each bound; the last number is that of all. */
  cumulative(): number[] {
    let count = 0;
    return this.#counts.map((inBucket) => (count += inBucket));
  }
}
