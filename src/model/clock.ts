/** The time, as tests can move it. */
export abstract class Clock {
  /** Milliseconds since 1970. */
  abstract now(): number;
  /** Milliseconds since some moment: for spans, as nobody sets it. */
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
