const SECOND_MS = 1000;

/** Requests in flight that were received in the same second. */
export class Arrival {
  inFlight = 0;

  constructor(readonly second: number) {}

  end(): void {
    this.inFlight -= 1;
  }
}

/** Counts requests in flight by the second in which they were received, which makes finding the oldest one cheap. */
export class Arrivals {
  #current = new Arrival(-1);
  /** Earlier seconds with requests in flight. */
  #earlier: Arrival[] = [];

  /** Counts a request; call `end` on the result once it is no longer in flight. @param receivedAt milliseconds since 1970 */
  begin(receivedAt: number): Arrival {
    const second = Math.floor(receivedAt / SECOND_MS);
    if (second !== this.#current.second) this.#startSecond(second);
    this.#current.inFlight += 1;
    return this.#current;
  }

  /** Second in which the oldest request in flight was received, in ms since 1970; Infinity without any. */
  get oldestReceivedAt(): number {
    const seconds = [...this.#earlier, this.#current].filter(isOpen).map(({ second }) => second * SECOND_MS);
    return Math.min(...seconds);
  }

  #startSecond(second: number): void {
    this.#earlier = [...this.#earlier, this.#current].filter(isOpen);
    this.#current = new Arrival(second);
  }
}

const isOpen = ({ inFlight }: Arrival): boolean => inFlight > 0;
