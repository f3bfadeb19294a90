const SECOND_MS = 1000;

/** Requests received in one second that are still open: their record was not passed on yet. */
export class ArrivalSecond {
  openRequests = 0;

  constructor(readonly second: number) {}

  end(): void {
    this.openRequests -= 1;
  }
}

/** Counts open requests by the second in which they were received, which makes finding the oldest one cheap. */
export class Arrivals {
  #current = new ArrivalSecond(-1);
  /** Earlier seconds with open requests. */
  #earlier: ArrivalSecond[] = [];

  /** Counts a request; call `end` on the result once its record was passed on, or none is due. @param receivedAt milliseconds since 1970 */
  begin(receivedAt: number): ArrivalSecond {
    const second = Math.floor(receivedAt / SECOND_MS);
    if (second !== this.#current.second) this.#startSecond(second);
    this.#current.openRequests += 1;
    return this.#current;
  }

  /** Second in which the oldest open request was received, in ms since 1970; Infinity without any. */
  get oldestReceivedAt(): number {
    const seconds = [...this.#earlier, this.#current].filter(isOpen).map(({ second }) => second * SECOND_MS);
    return Math.min(...seconds);
  }

  #startSecond(second: number): void {
    this.#earlier = [...this.#earlier, this.#current].filter(isOpen);
    this.#current = new ArrivalSecond(second);
  }
}

const isOpen = ({ openRequests }: ArrivalSecond): boolean => openRequests > 0;
