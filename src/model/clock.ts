/** The time, as tests can move it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Injection token of the `Clock`. */
export const CLOCK = Symbol('clock');
