import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** Bounds of the requests in flight. */
export interface ConcurrencyLimits {
  /** Requests in flight at any load; each holds its data twice in memory. */
  readonly maxInFlight: number;
  /** How long a request waits for a place before it is answered 503. Above the 4 s that a request takes in an outage,
   * clients would have given up. */
  readonly maxWaitMs: number;
  /** Target latency, and maximum wait, under overload. */
  readonly overloadLatencyMs: number;
  /** Requests in flight even under overload: one group of usage records serves them all. */
  readonly minInFlight: number;
}

/** One sampling interval: its length, and the share of it the event loop was busy, from 0 to 1. */
export interface Sample {
  readonly seconds: number;
  readonly utilization: number;
}

/** Utilization from which on a process counts as saturated. */
const SATURATED = 0.9;

/** Consecutive saturated samples that make an overload; a single burst is simply worked off. */
const SAMPLES = 2;

/**
 * How many requests may be in flight. Under overload it admits only as many as the process has lately answered within
 * `overloadLatencyMs` (Little's law), so that the rest are rejected at once instead of all being late. A slow store is
 * not an overload of this process: rejecting requests would not help the others.
 */
export class ConcurrencyLimit {
  #answers = 0;
  #sumInFlight = 0;
  #wasReached = false;
  #saturatedSamples = 0;
  #sampledAt = performance.now();
  #usage: EventLoopUtilization = performance.eventLoopUtilization();
  #limit: number;

  constructor(private readonly limits: ConcurrencyLimits) {
    this.#limit = limits.maxInFlight;
  }

  get isOverloaded(): boolean {
    return this.#saturatedSamples >= SAMPLES;
  }

  /** How long a request may wait for a place. */
  get maxWaitMs(): number {
    return this.isOverloaded ? this.limits.overloadLatencyMs : this.limits.maxWaitMs;
  }

  /** Whether one more may be in flight beside these. */
  admits(inFlight: number): boolean {
    if (inFlight < this.#limit) return true;
    this.#wasReached = true;
    return false;
  }

  /** Counts an answer. @param inFlight requests in flight when it was sent, its own included */
  answered(inFlight: number): void {
    this.#answers += 1;
    this.#sumInFlight += inFlight;
  }

  /** Sets the limit by what happened since the last sample. */
  sample({ seconds, utilization } = this.#measure()): void {
    const { maxInFlight, overloadLatencyMs, minInFlight } = this.limits;
    const answersPerSecond = this.#answers / seconds;
    const latencyMs = (this.#sumInFlight / Math.max(1, this.#answers) / Math.max(1, answersPerSecond)) * 1000;
    const isTooSlow = this.isOverloaded ? this.#wasReached : latencyMs > overloadLatencyMs;
    this.#saturatedSamples = utilization >= SATURATED && isTooSlow ? this.#saturatedSamples + 1 : 0;
    const answeredInTime = Math.round((answersPerSecond * overloadLatencyMs) / 1000);
    this.#limit = this.isOverloaded ? Math.min(maxInFlight, Math.max(minInFlight, answeredInTime)) : maxInFlight;
    this.#answers = 0;
    this.#sumInFlight = 0;
    this.#wasReached = false;
  }

  #measure(): Sample {
    const now = performance.now();
    const usage = performance.eventLoopUtilization();
    const seconds = (now - this.#sampledAt) / 1000;
    const { utilization } = performance.eventLoopUtilization(usage, this.#usage);
    this.#sampledAt = now;
    this.#usage = usage;
    return { seconds, utilization };
  }
}
