/** Source of the time, which tests replace. */
export abstract class Clock {
  /** Returns the wall-clock time in milliseconds since 1970. */
  abstract now(): number;
  /** Returns milliseconds on a monotonic clock. Measure durations with it: the wall clock can be set back. */
  abstract elapsed(): number;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  elapsed(): number {
    return performance.now();
  }
}
