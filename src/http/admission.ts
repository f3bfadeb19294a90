import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** What bounds the requests under way. */
export interface AdmissionLimits {
  /** Requests that are handled at the same time, whatever the load; their data are in memory twice. */
  readonly underWay: number;
  /** How long a request waits for its turn before it is answered 503; in an outage one behind it takes up to 4 s. */
  readonly patienceMs: number;
  /** The time that answers of a process with more to do than it can are brought back to; and a request's wait then. */
  readonly overloadedMs: number;
  /** In an overload, too, so many: a group of records is written for all of them. */
  readonly leastUnderWay: number;
}

/** How a time went: of it, how much the process was busy, from 0 to 1. */
export interface Span {
  readonly seconds: number;
  readonly utilization: number;
}

/** Of a second, how much a process that can do no more is busy. */
const BUSY = 0.9;

/** Looks in a row that must find an overload: a burst is worked off. */
const LOOKS = 2;

/**
 * How many requests may be under way. More than a process can answer in time wait in it; so in an overload only as many
 * are begun as it has lately answered within `overloadedMs` (Little's law), and others are turned away at once. A store
 * that is slow is no overload of this process: others would gain nothing.
 */
export class Admission {
  #answers = 0;
  #sumUnderWay = 0;
  #wasFull = false;
  #overloadedLooks = 0;
  #lookedAt = performance.now();
  #usage: EventLoopUtilization = performance.eventLoopUtilization();
  #limit: number;

  constructor(private readonly limits: AdmissionLimits) {
    this.#limit = limits.underWay;
  }

  get isOverloaded(): boolean {
    return this.#overloadedLooks >= LOOKS;
  }

  /** How long a request may wait for its turn. */
  get patienceMs(): number {
    return this.isOverloaded ? this.limits.overloadedMs : this.limits.patienceMs;
  }

  /** @param underWay requests that are handled now */
  admits(underWay: number): boolean {
    if (underWay < this.#limit) return true;
    this.#wasFull = true;
    return false;
  }

  /** @param underWay requests that were handled when this one was answered */
  answered(underWay: number): void {
    this.#answers += 1;
    this.#sumUnderWay += underWay;
  }

  /** Decides anew by what happened since the last look. */
  look({ seconds, utilization } = this.#measure()): void {
    const { underWay, overloadedMs, leastUnderWay } = this.limits;
    const answersASecond = this.#answers / seconds;
    const answeredWithinMs = (this.#sumUnderWay / Math.max(1, this.#answers) / Math.max(1, answersASecond)) * 1000;
    const isTooMuch = utilization >= BUSY && (this.isOverloaded ? this.#wasFull : answeredWithinMs > overloadedMs);
    this.#overloadedLooks = isTooMuch ? this.#overloadedLooks + 1 : 0;
    const answerable = Math.round((answersASecond * overloadedMs) / 1000);
    this.#limit = this.isOverloaded ? Math.min(underWay, Math.max(leastUnderWay, answerable)) : underWay;
    this.#answers = 0;
    this.#sumUnderWay = 0;
    this.#wasFull = false;
  }

  #measure(): Span {
    const now = performance.now();
    const usage = performance.eventLoopUtilization();
    const seconds = (now - this.#lookedAt) / 1000;
    const { utilization } = performance.eventLoopUtilization(usage, this.#usage);
    this.#lookedAt = now;
    this.#usage = usage;
    return { seconds, utilization };
  }
}
