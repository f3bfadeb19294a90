const SECOND_MS = 1000;

/** Requests in flight that were received within one second. */
export class Arrival {
  inFlight = 0;

  /** @param second since 1970 */
  constructor(readonly second: number) {}

  end(): void {
    this.inFlight -= 1;
  }
}

/** Counts requests in flight by the second in which they were received: knowing the oldest costs two additions a request. */
export class Arrivals {
  #current = new Arrival(-1);
  /** Earlier seconds with requests in flight. */
  #earlier: Arrival[] = [];

  /** @param receivedAt milliseconds since 1970 @returns what `end` is called on once the request is not in flight */
  begin(receivedAt: number): Arrival {
    const second = Math.floor(receivedAt / SECOND_MS);
    if (second !== this.#current.second) this.#startSecond(second);
    this.#current.inFlight += 1;
    return this.#current;
  }

  /** Start of the second in which the oldest request in flight was received, in ms since 1970; Infinity without any. */
  get oldest(): number {
    const seconds = [...this.#earlier, this.#current].filter(isOpen).map(({ second }) => second * SECOND_MS);
    return Math.min(...seconds);
  }

  #startSecond(second: number): void {
    this.#earlier = [...this.#earlier, this.#current].filter(isOpen);
    this.#current = new Arrival(second);
  }
}

const isOpen = ({ inFlight }: Arrival): boolean => inFlight > 0;
