import { performance, type EventLoopUtilization } from 'node:perf_hooks';

export interface ConcurrencyLimits {
  /** Maximum requests in flight at any load; each holds its data twice in memory. */
  readonly maxInFlight: number;
  /** Maximum time that a request waits for a slot before it is answered 503. In an outage a request takes another 4 s;
   * clients should not give up before that. */
  readonly maxWaitMs: number;
  /** Target latency, and maximum queueing time, under overload. */
  readonly overloadLatencyMs: number;
  /** Minimum limit under overload. One group commit records them all. */
  readonly minInFlight: number;
}

/** Sampling interval: its length, and the share of it in which the event loop was busy, from 0 to 1. */
export interface Sample {
  readonly seconds: number;
  readonly utilization: number;
}

/** Event-loop utilization at which a process counts as saturated. */
const SATURATED_UTILIZATION = 0.9;

/** Consecutive saturated samples that count as overload; a single burst does not. */
const OVERLOAD_SAMPLES = 2;

/**
 * Adaptive limit of requests in flight. Under overload it admits only as many as the process recently answered within
 * `overloadLatencyMs` (Little's law). The rest are rejected early, instead of all being late. A slow store does not count
 * as overload: rejecting requests would not make the others faster.
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

  get isSaturated(): boolean {
    return this.#saturatedSamples >= OVERLOAD_SAMPLES;
  }

  get maxWaitMs(): number {
    return this.isSaturated ? this.limits.overloadLatencyMs : this.limits.maxWaitMs;
  }

  /** Returns whether one more request may start while `inFlight` requests are in flight. */
  admits(inFlight: number): boolean {
    if (inFlight < this.#limit) return true;
    this.#wasReached = true;
    return false;
  }

  /** @param inFlight requests in flight when the response was sent, including its own */
  recordAnswer(inFlight: number): void {
    this.#answers += 1;
    this.#sumInFlight += inFlight;
  }

  /** Adjusts the limit to the responses since the last sample. */
  sample({ seconds, utilization } = this.#measure()): void {
    const { maxInFlight, overloadLatencyMs, minInFlight } = this.limits;
    const answersPerSecond = this.#answers / seconds;
    const latencyMs = (this.#sumInFlight / Math.max(1, this.#answers) / Math.max(1, answersPerSecond)) * 1000;
    const isTooSlow = this.isSaturated ? this.#wasReached : latencyMs > overloadLatencyMs;
    this.#saturatedSamples = utilization >= SATURATED_UTILIZATION && isTooSlow ? this.#saturatedSamples + 1 : 0;
    const answeredInTime = Math.round((answersPerSecond * overloadLatencyMs) / 1000);
    this.#limit = this.isSaturated ? Math.min(maxInFlight, Math.max(minInFlight, answeredInTime)) : maxInFlight;
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
